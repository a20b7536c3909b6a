import { t } from '@lingui/core/macro';
import { saveFile } from '#web/ui/save-file.ts';
import { say } from './said.ts';

/** Saves the picture that is shown as a file, in the size of the video. */
export async function saveScreenshot(video: HTMLVideoElement, name: string) {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob || video.videoWidth === 0) return say(t`There is no picture yet`);
  saveFile(name, blob);
  say(t`Picture saved`);
}
