import { createPortal } from 'react-dom';
import { Engine } from './engine.ts';
import { Frame } from './Frame.tsx';
import { boxOfPlayer, useStage } from './stage.ts';

/** The one player there is, in its box, wherever that stands. Only what lies below here knows the library that plays. */
export function Player() {
  const video = useStage((stage) => stage.video);
  if (!video) return null;
  return createPortal(
    <Engine>
      <Frame video={video} />
    </Engine>,
    boxOfPlayer(),
  );
}
