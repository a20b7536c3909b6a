import { t } from '@lingui/core/macro';
import { saveFile } from '#web/ui/save-file.ts';
import { showStatus } from '../state/status-message.ts';

/** Saves the current frame as a file in the resolution of the video. */
export async function saveScreenshot(video: HTMLVideoElement, name: string) {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  let blob: Blob | null;
  try {
    blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  } catch {
    // Browsers do not let scripts read frames of another origin: REELKEEP_S3_REDIRECT.
    return showStatus(t`Screenshots are unavailable: media are loaded directly from S3 storage`);
  }
  if (!blob || video.videoWidth === 0) return showStatus(t`No frame to save yet`);
  saveFile(name, blob);
  showStatus(t`Screenshot saved`);
}
