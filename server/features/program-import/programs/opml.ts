import { message } from '#contract/messages.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { channelIdOfUrl, channelSubscription, playlistIdOfUrl, playlistSubscription, type Item } from '../item/item.ts';
import { readText } from '../source/read.ts';
import { problem, readEach, type Program } from './program.ts';

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 64;
const maxElements = 50_000;

/** Rejects entity definitions, and nesting and numbers of elements that would exhaust the stack or the memory of a parser. */
function checkShape(text: string) {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new MessageError(message('migrate.opml-doctype'));
  let [depth, elements] = [0, 0];
  for (const [tag] of text.matchAll(/<\/?[a-z][^<>]*>/gi)) {
    if (tag.startsWith('</')) {
      depth--;
      continue;
    }
    if (++elements > maxElements) throw new MessageError(message('migrate.opml-elements', { most: maxElements }));
    if (!tag.endsWith('/>') && ++depth > maxDepth) throw new MessageError(message('migrate.opml-depth'));
  }
}

/** Yields the feeds of an OPML document. */
export async function* feedsOf(text: string): AsyncGenerator<Item> {
  checkShape(text);
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml');
  let root;
  try {
    root = parseXml(text).root;
  } catch (error) {
    throw new MessageError(message('migrate.opml-invalid', { why: (error as Error).message.split('\n')[0]!.slice(0, 200) }));
  }
  if (root?.name.toLowerCase() !== 'opml') throw new MessageError(message('migrate.opml-invalid', { why: 'no <opml>' }));
  const waiting = root.children.toReversed();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!(node instanceof XmlElement)) continue;
    waiting.push(...node.children.toReversed());
    if (node.name.toLowerCase() !== 'outline') continue;
    const { xmlUrl, htmlUrl, title, text: label } = node.attributes;
    const name = title || label;
    if (!xmlUrl) continue; // a folder
    const isPlaylist = !channelIdOfUrl(xmlUrl) && playlistIdOfUrl(xmlUrl) !== null;
    const isYoutube = /^https?:\/\/(www\.)?youtube\.com\//i.test(htmlUrl ?? '');
    const found = isPlaylist
      ? playlistSubscription({ url: xmlUrl, name })
      : channelIdOfUrl(xmlUrl)
        ? channelSubscription({ url: xmlUrl, name })
        : channelSubscription({ url: isYoutube ? htmlUrl : undefined, name });
    yield found ?? problem(name || xmlUrl, message('migrate.other-service'));
  }
}

/** OPML of any feed reader, or of Pinchflat. */
export const opml: Program = {
  name: 'OPML',
  takes: ['subscriptions'],
  standard: ['subscriptions'],
  isWanted: (name) => /\.(opml|xml)$/i.test(name),
  read: ({ source, signal }) =>
    readEach(source.files, { source, signal }, async function* (file) {
      yield* feedsOf(await readText(file, signal, maxBytes));
    }),
};
