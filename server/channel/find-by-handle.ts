import type { Archive } from '../archive.ts';
import { decoded } from '../decoded.ts';
import { classify } from '../download/classify.ts';
import { lookUpSource } from './save-channel.ts';
import { findChannel, findChannelNamed } from './store.ts';

const longestMs = 30_000;
const rememberedMs = 7 * 86_400_000;

// Which channel a name meant when its site was asked, and when that was. Each archive of a process has its own.
const remembered = new WeakMap<Archive['tasks'], Map<string, { id: string | null; at: number }>>();

async function askSite(archive: Archive, url: string): Promise<string | null> {
  const known = remembered.getOrInsertComputed(archive.tasks, () => new Map());
  const before = known.get(url);
  if (before && Date.now() - before.at < rememberedMs) return before.id;
  const id = await lookUpSource(archive, url, AbortSignal.timeout(longestMs)).then(
    (info) => info.id,
    () => null, // no such channel there, or no answer: it is not one that we know
  );
  if (known.size > 10_000) known.clear();
  known.set(url, { id, at: Date.now() });
  return id;
}

/** The channel of the archive that an id, a handle or an address means; its site is asked only when we cannot tell ourselves. */
export async function findByHandle(archive: Archive, text: string) {
  const wanted = classify(text.trim());
  if (wanted?.what !== 'channel' && wanted?.what !== 'page') return findChannelNamed(archive.db, text.trim());
  const named = wanted.id ?? /\/(@[^/]+)$/.exec(decoded(wanted.url))?.[1];
  const known = named && (await findChannelNamed(archive.db, named));
  if (known || wanted.id) return known || undefined;
  const byUrl = await archive.db.selectFrom('channel').selectAll().where('url', '=', wanted.url).executeTakeFirst();
  if (byUrl || !archive.tools.ytdlp) return byUrl;
  const id = await askSite(archive, wanted.url);
  return id ? findChannel(archive.db, id) : undefined;
}
