import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatLine } from '#contract/chat.ts';
import { writeChat, type ChatInput } from './write-chat.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chat-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
let files = 0;
const fileOf = async (text: string) => {
  const path = join(folder, `input-${files++}`);
  await writeFile(path, text);
  return path;
};
const raw = async (lines: object[], { startMs = null as number | null, end = '\n' } = {}): Promise<ChatInput> => ({
  path: await fileOf(lines.map((line) => JSON.stringify(line)).join('\n') + end),
  format: 'raw',
  startMs,
});

async function convert(...inputs: ChatInput[]) {
  const target = join(folder, `chat-${files++}`);
  const written = await writeChat(inputs, { target, folder, signal });
  const bytes = await readFile(target);
  const lines = bytes.length === 0 ? [] : gunzipSync(bytes).toString().trim().split('\n');
  return { target, written, bytes, lines: lines.map((line) => JSON.parse(line) as ChatLine) };
}

const name = (simpleText: string) => ({ simpleText });
const replayed = (ms: number, action: object) => ({
  replayChatItemAction: { actions: [action], videoOffsetTimeMsec: String(ms) },
});
const added = (renderer: string, fields: object) => ({ addChatItemAction: { item: { [renderer]: fields } } });
const text = (id: string, words: string, more: object = {}) =>
  added('liveChatTextMessageRenderer', {
    id,
    authorName: name('Ann'),
    authorExternalChannelId: 'UCann',
    message: { runs: [{ text: words }] },
    ...more,
  });

describe('a chat of yt-dlp', () => {
  test('becomes lines with kinds, badges, amounts and emoji as text', async () => {
    const badge = (icon: string) => ({ liveChatAuthorBadgeRenderer: { icon: { iconType: icon } } });
    const { lines, written } = await convert(
      await raw([
        {
          addChatItemAction: {
            item: { liveChatViewerEngagementMessageRenderer: { id: 'sys', message: { runs: [{ text: 'Welcome' }] } } },
          },
        },
        replayed(
          1000,
          text('m1', '', {
            message: {
              runs: [
                { text: 'Hi ' },
                { emoji: { emojiId: 'UCx/y', shortcuts: [':_wave:', ':wave:'], isCustomEmoji: true } },
                { emoji: { emojiId: '🚂', shortcuts: [':train:'] } },
              ],
            },
            authorBadges: [badge('OWNER'), badge('MODERATOR'), { liveChatAuthorBadgeRenderer: { customThumbnail: {} } }],
          }),
        ),
        replayed(
          2000,
          added('liveChatPaidMessageRenderer', { id: 'p1', authorName: name('Bo'), purchaseAmountText: name('5,00 €') }),
        ),
        replayed(
          3000,
          added('liveChatPaidStickerRenderer', {
            id: 's1',
            authorName: name('Bo'),
            purchaseAmountText: name('$2'),
            sticker: { accessibility: { accessibilityData: { label: 'A train' } } },
          }),
        ),
        replayed(
          4000,
          added('liveChatMembershipItemRenderer', { id: 'b1', authorName: name('Cy'), headerSubtext: name('Welcome!') }),
        ),
        replayed(5000, { addLiveChatTickerItemAction: { item: {} } }),
        replayed(6000, added('somethingNewRenderer', { id: 'n1' })),
      ]),
    );
    expect(lines).toEqual([
      { t: 0, k: 'system', id: 'sys', a: '', n: '', x: 'Welcome' },
      { t: 1000, k: 'text', id: 'm1', a: 'UCann', n: 'Ann', b: ['owner', 'mod', 'member'], x: 'Hi :wave:🚂' },
      { t: 2000, k: 'paid', id: 'p1', a: '', n: 'Bo', x: '', amount: '5,00 €' },
      { t: 3000, k: 'sticker', id: 's1', a: '', n: 'Bo', x: 'A train', amount: '$2' },
      { t: 4000, k: 'member', id: 'b1', a: '', n: 'Cy', x: 'Welcome!' },
    ]);
    expect(written).toMatchObject({ messages: 5, isComplete: true });
  });

  test('that was live gets times of the stream', async () => {
    const live = (stamp: number, id: string) => ({
      replayChatItemAction: { actions: [text(id, id, { timestampUsec: String(stamp * 1000) })] },
      videoOffsetTimeMsec: '-7000',
      isLive: true,
    });
    const { lines } = await convert(await raw([live(90_000, 'early'), live(102_500, 'a')], { startMs: 100_000 }));
    expect(lines.map(({ t, id }) => [t, id])).toEqual([
      [0, 'early'],
      [2500, 'a'],
    ]);
  });

  test('loses the text of what moderators have removed, and keeps later messages of the same author', async () => {
    const { lines } = await convert(
      await raw([
        replayed(1000, text('m1', 'rude')),
        replayed(2000, text('m2', 'also rude', { authorExternalChannelId: 'UCbo' })),
        replayed(3000, { markChatItemAsDeletedAction: { targetItemId: 'm1' } }),
        replayed(4000, { removeChatItemByAuthorAction: { externalChannelId: 'UCbo' } }),
        replayed(5000, text('m3', 'sorry', { authorExternalChannelId: 'UCbo' })),
      ]),
    );
    expect(lines.map(({ id, x, removed }) => [id, x, removed])).toEqual([
      ['m1', '', true],
      ['m2', '', true],
      ['m3', 'sorry', undefined],
    ]);
    expect(JSON.stringify(lines)).not.toContain('rude');
  });

  test('that is cut off or damaged is kept up to there', async () => {
    const cut = await convert(await raw([replayed(1, text('a', 'a')), replayed(2, text('b', 'b'))], { end: '\n{"replayChat' }));
    expect(cut.lines.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(cut.written?.isComplete).toBe(false);
    const whole = await convert(await raw(Array.from({ length: 999 }, (_, n) => replayed(n, text(`m${n}`, `${Math.sin(n)}`)))));
    const half = await fileOf('');
    await writeFile(half, whole.bytes.subarray(0, whole.bytes.length / 2));
    const { lines, written } = await convert({ path: half, format: 'stored' });
    expect(written?.isComplete).toBe(false);
    expect(lines).toEqual(whole.lines.slice(0, lines.length));
    const none = await convert({ path: await fileOf('nothing'), format: 'stored' });
    expect(none.written).toBeNull();
  });

  test('is cut to plain text: long, with control characters, broken, and of hostile ids', async () => {
    const { lines } = await convert(
      await raw([
        replayed(0, text('long', '€'.repeat(5000))),
        replayed(1, text('odd', 'a\u0000b\nc\ud800<img src=x onerror=alert(1)>')),
        replayed(2, text('', 'no id')),
        replayed(3, text('x'.repeat(5000), 'long id')),
        replayed(Number.MAX_SAFE_INTEGER, text('late', 'late')),
        replayed(-5000, text('early', 'early')),
        replayed(4, {
          addChatItemAction: { item: { __proto__: null, constructor: { id: 'c' }, liveChatTextMessageRenderer: 7 } },
        }),
      ]),
    );
    const byId = new Map(lines.map((line) => [line.id, line]));
    expect(byId.size).toBe(5);
    expect(byId.get('long')!.x).toBe('€'.repeat(682));
    expect(byId.get('odd')!.x).toBe('a b c�<img src=x onerror=alert(1)>');
    expect([...byId.keys()].every((id) => id.length <= 200)).toBe(true);
    expect([byId.get('early')!.t, byId.get('late')!.t]).toEqual([0, 14 * 86_400_000]);
  });

  test('is stored in parts of five minutes that can be read alone', async () => {
    const minutes = [0, 1, 6, 7, 21];
    const { bytes, written } = await convert(
      await raw(minutes.map((minute) => replayed(minute * 60_000, text(`m${minute}`, 'x')))),
    );
    const parts = written!.chunks.map(({ byteOffset, bytes: size }) =>
      gunzipSync(bytes.subarray(byteOffset, byteOffset + size))
        .toString()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ChatLine).id),
    );
    expect(parts).toEqual([['m0', 'm1'], ['m6', 'm7'], ['m21']]);
    expect(written!.chunks.map(({ n, fromMs, toMs, messages }) => [n, fromMs, toMs, messages])).toEqual([
      [0, 0, 60_000, 2],
      [1, 360_000, 420_000, 2],
      [4, 1_260_000, 1_260_000, 1],
    ]);
    expect(written!.sizeBytes).toBe(bytes.length);
  });
});

describe('merging', () => {
  const event = fc.oneof(
    fc
      .record({ id: fc.nat(12), t: fc.nat(900_000), x: fc.constantFrom('one', 'two'), author: fc.constantFrom('UCa', 'UCb') })
      .map(({ id, t, x, author }) => replayed(t, text(`m${id}`, x, { authorExternalChannelId: author }))),
    fc.nat(12).map((id) => replayed(0, { markChatItemAsDeletedAction: { targetItemId: `m${id}` } })),
  );
  const chat = fc.array(event, { minLength: 1, maxLength: 20 });

  test('keeps what only one side has, and removes on both sides what one side has removed', async () => {
    const live = await raw([
      replayed(1, text('both', 'x')),
      replayed(2, text('rude', 'rude')),
      replayed(3, text('lost', 'lost')),
    ]);
    const replay = await raw([
      replayed(0, text('both', 'x')),
      replayed(2, text('rude', 'rude')),
      replayed(4, { removeChatItemAction: { targetItemId: 'rude' } }),
      replayed(5, text('new', 'new')),
    ]);
    const { lines } = await convert(live, replay);
    expect(lines.map(({ t, id, x }) => [t, id, x])).toEqual([
      [0, 'both', 'x'],
      [2, 'rude', ''],
      [3, 'lost', 'lost'],
      [5, 'new', 'new'],
    ]);
  });

  test('gives the same file in any order, and changes nothing when it is repeated', () =>
    fc.assert(
      fc.asyncProperty(chat, chat, chat, async (a, b, c) => {
        const inputs = [await raw(a), await raw(b), await raw(c)];
        const [first, second, third] = inputs as [ChatInput, ChatInput, ChatInput];
        const together = await convert(first, second, third);
        expect((await convert(third, first, second)).bytes).toEqual(together.bytes);
        if (!together.written) return;
        const stored: ChatInput = { path: together.target, format: 'stored' };
        expect((await convert(stored)).bytes).toEqual(together.bytes);
        expect((await convert(second, stored)).bytes).toEqual(together.bytes);
      }),
      { numRuns: 60 },
    ));
});
