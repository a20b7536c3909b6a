import type { ChatBadge, ChatKind, ChatLine } from '#contract/chat.ts';

// The chat of a stream of YouTube, as yt-dlp's `youtube_live_chat` writes it: one JSON object a line, with what happened in the chat. Its
// texts and ids are by strangers, and its form may change: what is not known is left out.

/** Streams last at most twelve hours at the site, but some are longer. */
const maxMs = 14 * 86_400_000;
const maxTextBytes = 2048;
const maxNameLength = 100;
const maxIdLength = 200;

/** What happens in a chat: a message is added, or moderators remove one, or all of an author so far. */
export type ChatEvent = { line: ChatLine } | { removedId: string } | { removedAuthor: string; untilMs: number };

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isPresent = (value: unknown) => typeof value === 'object' && value !== null;

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Returns a text without control characters, of at most so many bytes in UTF-8. Marks of direction stay: they are isolated when shown. */
export function plainText(text: string, maxBytes: number): string {
  const plain = text.slice(0, maxBytes).toWellFormed().replace(controls, ' ').trim();
  if (Buffer.byteLength(plain) <= maxBytes) return plain;
  // A character that is cut in the middle becomes U+FFFD.
  return Buffer.from(plain).subarray(0, maxBytes).toString().replace(/�+$/, '');
}

const idOf = (value: unknown) => plainText(stringOf(value), maxIdLength);

/** Returns an emoji as text: itself, or `:name:` for one of the channel, which is a picture. */
function emojiText(emoji: Json): string {
  const custom = listOf(emoji['shortcuts']).find((one) => /^:[^:\s]{1,60}:$/.test(stringOf(one)));
  if (emoji['isCustomEmoji'] === true) return custom === undefined ? '' : stringOf(custom).replace(/^:_+(?=[^:])/, ':');
  return stringOf(emoji['emojiId']) || stringOf(custom);
}

/** Returns the text of the site: a string, or parts of text and emoji. */
function textOf(value: unknown): string {
  const { simpleText, runs } = objectOf(value);
  if (typeof simpleText === 'string') return simpleText;
  return listOf(runs)
    .map((run) => {
      const { text, emoji } = objectOf(run);
      return isPresent(emoji) ? emojiText(objectOf(emoji)) : stringOf(text);
    })
    .join('');
}

const badgeOfIcon: Record<string, ChatBadge> = { OWNER: 'owner', MODERATOR: 'mod', VERIFIED: 'verified' };

function badgesOf(value: unknown): ChatBadge[] {
  const badges = listOf(value).flatMap((one): ChatBadge[] => {
    const { icon, customThumbnail } = objectOf(objectOf(one)['liveChatAuthorBadgeRenderer']);
    // Members have a picture of the channel.
    if (isPresent(customThumbnail)) return ['member'];
    return [badgeOfIcon[stringOf(objectOf(icon)['iconType'])] ?? []].flat();
  });
  return [...new Set(badges)];
}

const joined = (...texts: string[]) => texts.filter(Boolean).join(' – ');

type Content = Pick<ChatLine, 'k' | 'x'> & { amount?: string; author?: Json };

/** How each kind of message is read. Tickers and pinned messages repeat messages, so they are not among them. */
const readers: Record<string, (item: Json) => Content> = {
  liveChatTextMessageRenderer: (item) => ({ k: 'text', x: textOf(item['message']) }),
  liveChatPaidMessageRenderer: (item) => ({
    k: 'paid',
    x: textOf(item['message']),
    amount: textOf(item['purchaseAmountText']),
  }),
  liveChatPaidStickerRenderer: (item) => {
    const { accessibility } = objectOf(item['sticker']);
    const label = stringOf(objectOf(objectOf(accessibility)['accessibilityData'])['label']);
    return { k: 'sticker', x: label, amount: textOf(item['purchaseAmountText']) };
  },
  liveChatMembershipItemRenderer: (item) => ({
    k: 'member',
    x: joined(textOf(item['headerPrimaryText']), textOf(item['headerSubtext']), textOf(item['message'])),
  }),
  liveChatSponsorshipsGiftPurchaseAnnouncementRenderer: (item) => {
    const header = objectOf(objectOf(item['header'])['liveChatSponsorshipsHeaderRenderer']);
    return { k: 'member', x: textOf(header['primaryText']), author: header };
  },
  liveChatSponsorshipsGiftRedemptionAnnouncementRenderer: (item) => ({ k: 'member', x: textOf(item['message']) }),
  liveChatViewerEngagementMessageRenderer: (item) => ({ k: 'system', x: textOf(item['message']) }),
  liveChatModeChangeMessageRenderer: (item) => ({ k: 'system', x: joined(textOf(item['text']), textOf(item['subtext'])) }),
};

/** Returns the message of an item at a time of the stream; null if it is none. `id`: replaces the id of the item. */
function lineOf(item: unknown, t: number, id?: string): ChatLine | null {
  for (const [name, value] of Object.entries(objectOf(item))) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (!read || !isPresent(value)) continue;
    const renderer = objectOf(value);
    const { k, x, amount, author = renderer } = read(renderer);
    const ownId = id ?? idOf(renderer['id']);
    const text = plainText(x, maxTextBytes);
    if (ownId === '' || (text === '' && !amount)) return null;
    const badges = badgesOf(author['authorBadges']);
    return {
      t,
      k,
      id: ownId,
      a: k === 'system' ? '' : idOf(renderer['authorExternalChannelId']),
      n: k === 'system' ? '' : plainText(textOf(author['authorName']), maxNameLength),
      ...(badges.length > 0 && { b: badges }),
      x: text,
      ...(amount && { amount: plainText(amount, maxNameLength) }),
    };
  }
  return null;
}

const timeOf = (ms: number) => Math.round(Math.min(maxMs, Math.max(0, ms)));

/** Time of an item by the clock of the site, in epoch milliseconds; null if it has none. */
function stampOf(item: unknown): number | null {
  for (const value of Object.values(objectOf(item))) {
    const stamp = Number(stringOf(objectOf(value)['timestampUsec']));
    if (stamp > 0) return stamp / 1000;
  }
  return null;
}

/**
 * Returns what reads the lines of yt-dlp one after the other. `startMs`: start of the stream in epoch milliseconds, for the messages of
 * a running one, whose offsets count from the start of yt-dlp; null if it is not known.
 */
export function rawChatReader(startMs: number | null): (line: string) => ChatEvent[] {
  let lastMs = 0;

  function eventsOf(action: Json, offsetMs: number | null): ChatEvent[] {
    const at = (item: unknown) => {
      const stamp = offsetMs === null && startMs !== null ? stampOf(item) : null;
      return timeOf(offsetMs ?? (stamp === null ? lastMs : stamp - startMs!));
    };
    const { item: added } = objectOf(action['addChatItemAction']);
    if (added !== undefined) {
      lastMs = at(added);
      const line = lineOf(added, lastMs);
      return line ? [{ line }] : [];
    }
    const { replacementItem, targetItemId } = objectOf(action['replaceChatItemAction']);
    if (replacementItem !== undefined) {
      const line = lineOf(replacementItem, at(replacementItem), idOf(targetItemId));
      return line ? [{ line }] : [];
    }
    if (offsetMs !== null) lastMs = timeOf(offsetMs);
    const removed = idOf(objectOf(action['markChatItemAsDeletedAction'] ?? action['removeChatItemAction'])['targetItemId']);
    if (removed) return [{ removedId: removed }];
    const ofAuthor = objectOf(action['markChatItemsByAuthorAsDeletedAction'] ?? action['removeChatItemByAuthorAction']);
    const author = idOf(ofAuthor['externalChannelId']);
    return author ? [{ removedAuthor: author, untilMs: lastMs }] : [];
  }

  return (line) => {
    const raw = objectOf(JSON.parse(line));
    const { actions, videoOffsetTimeMsec } = objectOf(raw['replayChatItemAction']);
    const isLive = raw['isLive'] === true;
    const offset = Number(stringOf(isLive ? raw['videoOffsetTimeMsec'] : videoOffsetTimeMsec) || Number.NaN);
    const isTimed = Number.isFinite(offset) && (!isLive || startMs === null);
    return (Array.isArray(actions) ? actions : [raw]).flatMap((one) => eventsOf(objectOf(one), isTimed ? offset : null));
  };
}

const kinds: ReadonlySet<unknown> = new Set<ChatKind>(['text', 'paid', 'member', 'sticker', 'system']);
const badges: ReadonlySet<unknown> = new Set<ChatBadge>(['owner', 'mod', 'member', 'verified']);

/** Reads a stored line, which may have been imported; null if it is none. @throws SyntaxError */
export function readStoredLine(line: string): ChatLine | null {
  const { t, k, id, a, n, b, x, amount, removed } = objectOf(JSON.parse(line));
  if (typeof t !== 'number' || !kinds.has(k) || idOf(id) === '') return null;
  const known = listOf(b).filter((one) => badges.has(one)) as ChatBadge[];
  return {
    t: timeOf(t),
    k: k as ChatKind,
    id: idOf(id),
    a: idOf(a),
    n: plainText(stringOf(n), maxNameLength),
    ...(known.length > 0 && { b: known }),
    x: removed === true ? '' : plainText(stringOf(x), maxTextBytes),
    ...(stringOf(amount) && { amount: plainText(stringOf(amount), maxNameLength) }),
    ...(removed === true && { removed }),
  };
}
