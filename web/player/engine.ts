import {
  bufferFeature,
  controlsFeature,
  createPlayer,
  fullscreenFeature,
  pipFeature,
  playbackFeature,
  playbackRateFeature,
  timeFeature,
  volumeFeature,
} from '@videojs/react';

/** What of the library below is used: the state of the element, and controls that hide by themselves. */
export const { Player: Engine, usePlayer } = createPlayer({
  features: [
    playbackFeature,
    playbackRateFeature,
    volumeFeature,
    timeFeature,
    bufferFeature,
    fullscreenFeature,
    pipFeature,
    controlsFeature,
  ],
});
