// Converts and merges chats of 500,000 messages: `npm run bench -- chat`. Prints the time of the processor and the memory.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeChat } from '#server/archive/chat/write-chat.ts';

const messages = 500_000;
const lengthMs = 6 * 3_600_000;

const folder = await mkdtemp(join(tmpdir(), 'chat-bench-'));
const { signal } = new AbortController();

/** Writes messages as yt-dlp does; every n-th is left out. */
async function writeRaw(name: string, leftOut: number): Promise<string> {
  const path = join(folder, name);
  const file = createWriteStream(path);
  for (let n = 0; n < messages; n++) {
    if (n % leftOut === 0) continue;
    const thumbnails = [32, 64].map((size) => ({
      url: `https://yt4.ggpht.com/ytc/${'x'.repeat(90)}=s${size}`,
      width: size,
      height: size,
    }));
    const renderer = {
      message: {
        runs: [
          { text: `Message number ${n} of a busy chat ` },
          { emoji: { emojiId: 'UCx/y', shortcuts: [':_wave:'], isCustomEmoji: true, image: { thumbnails } } },
        ],
      },
      authorName: { simpleText: `Viewer ${n % 20_000}` },
      authorPhoto: { thumbnails },
      id: `ChwKGkNJX${n.toString(36).padStart(20, 'A')}`,
      timestampUsec: String(1_700_000_000_000_000 + Math.floor((n * lengthMs) / messages) * 1000),
      authorExternalChannelId: `UC${String(n % 20_000).padStart(22, '0')}`,
      contextMenuEndpoint: { params: 'x'.repeat(200) },
    };
    const actions = [{ addChatItemAction: { item: { liveChatTextMessageRenderer: renderer }, clientId: 'x'.repeat(30) } }];
    const line = { replayChatItemAction: { actions, videoOffsetTimeMsec: String(Math.floor((n * lengthMs) / messages)) } };
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return path;
}

try {
  const live = await writeRaw('live.json', 97);
  const replay = await writeRaw('replay.json', 89);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const cpu = process.cpuUsage();
  const [first, merged] = [join(folder, 'live.gz'), join(folder, 'merged.gz')];
  const converted = await writeChat([{ path: live, format: 'raw', startMs: null }], { target: first, folder, signal });
  const inputs = [
    { path: first, format: 'stored' as const },
    { path: replay, format: 'raw' as const, startMs: null },
  ];
  const result = await writeChat(inputs, { target: merged, folder, signal });
  clearInterval(timer);
  const { user, system } = process.cpuUsage(cpu);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`converted ${converted?.messages} messages, merged to ${result?.messages} in ${megabytes(result?.sizeBytes ?? 0)}`);
  console.log(`${((user + system) / 1e6).toFixed(1)} s of CPU, ${megabytes(most - before)} more memory (resident, at most)`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
