import http from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionsTo } from './lean.ts';
import { timesOf, type Times } from './visitors.ts';

// A program of its own, for load.ts: many who watch or listen at once, until its standard input ends. It prints one line when all of
// them are there and one at the end.

export interface Wish {
  what: 'watch' | 'listen';
  address: string;
  /** How many each of these people opens; a cookie header for each person. */
  cookies: string[];
  each: number;
  /** What is watched, and how fast. */
  film?: string;
  bytesASecond?: number;
}

/** What those who watched say: until the first byte of each range, and until a piece was late by so much; milliseconds. */
export interface Watched {
  firstByte: Times;
  late: Times;
  bytes: number;
  refused: number;
}
/** When each who listened heard of a change, milliseconds since 1970 with fractions. */
export type Heard = number[][];

const wish = JSON.parse(process.argv[2]!) as Wish;
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
let isOver = false;
createInterface({ input: process.stdin }).on('close', () => (isOver = true));
const say = (what: unknown) => console.log(JSON.stringify(what));
const everyone = wish.cookies.flatMap((cookie) => Array.from({ length: wish.each }, () => cookie));

async function watch() {
  const { address, film = '', bytesASecond = 0 } = wish;
  const pieceMs = 250;
  const piece = Math.floor((bytesASecond * pieceMs) / 1000);
  const [first, late]: number[][] = [[], []];
  let [bytes, refused] = [0, 0];
  const connections = connectionsTo(address);
  const range = async (cookie: string, from: number) => {
    const began = performance.now();
    const headers = { cookie, range: `bytes=${from}-${from + piece - 1}` };
    const onFirst = () => first!.push(performance.now() - began);
    const answered = await connections.ask({ path: film, headers, onFirst });
    if (answered.status !== 206) refused++;
    bytes += answered.bytes;
  };
  const one = async (cookie: string, place: number) => {
    await wait((place * pieceMs) / everyone.length); // they did not all begin at once
    let due = performance.now();
    for (let from = 0; !isOver; from = (from + piece) % (piece * 150)) {
      await range(cookie, from);
      late!.push(Math.max(0, performance.now() - due));
      due = Math.max(due + pieceMs, performance.now() - 5_000);
      await wait(Math.max(0, due - performance.now()));
    }
  };
  const all = everyone.map(one);
  say('there');
  await Promise.all(all);
  connections.close();
  say({ firstByte: timesOf(first!), late: timesOf(late!), bytes, refused } satisfies Watched);
}

async function listen() {
  const heard: Heard = everyone.map(() => []);
  const streams = everyone.map(
    (cookie, place) =>
      new Promise<http.ClientRequest>((resolve, reject) => {
        const request = http
          .get(`${wish.address}/api/events/`, { agent, headers: { cookie } }, (answer) => {
            if (answer.statusCode !== 200) return reject(new Error(`the events answered ${answer.statusCode}`));
            answer.setEncoding('utf8').on('data', (text: string) => {
              if (text.includes('event: changed')) heard[place]!.push(performance.timeOrigin + performance.now());
            });
            answer.on('error', () => {});
            resolve(request);
          })
          .on('error', reject);
      }),
  );
  const requests = await Promise.all(streams);
  say('there');
  while (!isOver) await wait(50);
  for (const request of requests) request.on('error', () => {}).destroy();
  say(heard);
}

await (wish.what === 'watch' ? watch() : listen());
agent.destroy();
