import { t } from '@lingui/core/macro';
import { say } from './said.ts';

/** Saves the picture that is shown as a file, in the size of the video. */
export async function saveScreenshot(video: HTMLVideoElement, name: string) {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob || video.videoWidth === 0) return say(t`There is no picture yet`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  say(t`Picture saved`);
}

/** Copies a text; where the browser does not let us, says so. */
export async function copyText(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(t`The browser did not let it be copied: ${text}`);
  }
}
