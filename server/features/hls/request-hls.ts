import type { Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { createUrlSigner } from '../../platform/http/auth/signed-urls.ts';
import type { User } from '../../platform/http/route.ts';
import { folderOf, mainName } from './names.ts';
import { hlsStreamOf } from './stream-of-video.ts';

/**
 * Returns the signed address of the conversion of a video in a height, with a sound track (a stream index; null for none) as default.
 * Null with the reasons if it is not possible.
 */
export async function requestHls(
  app: AppContext,
  { id: accountId, tokenHash }: Pick<User, 'id' | 'tokenHash'>,
  id: string,
  { height, track }: { height: number; track: number | null },
): Promise<{ media_url: string | null; why_messages: Message[] | null }> {
  const stream = await hlsStreamOf(app, id);
  if ('why' in stream) return { media_url: null, why_messages: stream.why };
  const address = `${folderOf(stream)}${mainName({ height, track })}`;
  const sign = await createUrlSigner(app, { accountId, tokenHash });
  return { media_url: sign(address, stream.grid.durationSeconds), why_messages: null };
}
