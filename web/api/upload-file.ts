import { t } from '@lingui/core/macro';
import { ApiError, csrfHeader, refuseErrors } from './call.ts';

interface UploadOptions {
  signal: AbortSignal;
  /** Share of the file that was sent, 0–1. */
  onProgress(share: number): void;
}

/** Uploads a file and returns the response. Uses XMLHttpRequest because `fetch` reports no upload progress. @throws {ApiError} */
export async function uploadFile(address: string, file: File, { signal, onProgress }: UploadOptions): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open('PUT', address);
  for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
  request.addEventListener('load', () =>
    resolve(new Response(request.status === 204 ? null : request.responseText, { status: request.status })),
  );
  request.addEventListener('error', () => reject(new ApiError(0, t`Can’t reach the server.`)));
  request.addEventListener('abort', () => reject(new ApiError(0, t`Canceled`)));
  const stop = () => request.abort();
  signal.addEventListener('abort', stop);
  request.send(file);
  try {
    const response = await promise;
    await refuseErrors(response);
    return response;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
