import http from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionsTo } from './raw-client.ts';
import { timesOf, type Times } from './http-client.ts';

// Started by load.ts: many clients that play or listen for events until standard input ends. Prints one line when all are
// connected and one at the end.

export interface ClientOptions {
  what: 'watch' | 'listen';
  address: string;
  /** One cookie header per user, and the number of connections that each user opens. */
  cookies: string[];
  each: number;
  /** The file to play and its data rate. */
  film?: string;
  bytesPerSecond?: number;
}

/** Results of the players in milliseconds: time to the first byte of each range, and the delay of each late piece. */
export interface PlaybackResult {
  firstByte: Times;
  late: Times;
  bytes: number;
  refused: number;
}
/** Times when each listener received an event, in milliseconds since 1970, with fractions. */
export type EventTimes = number[][];

const options = JSON.parse(process.argv[2]!) as ClientOptions;
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
let isOver = false;
createInterface({ input: process.stdin }).on('close', () => (isOver = true));
const print = (what: unknown) => console.log(JSON.stringify(what));
const connectionCookies = options.cookies.flatMap((cookie) => Array.from({ length: options.each }, () => cookie));

async function watch() {
  const { address, film = '', bytesPerSecond = 0 } = options;
  const pieceMs = 250;
  const piece = Math.floor((bytesPerSecond * pieceMs) / 1000);
  const [first, late]: number[][] = [[], []];
  let [bytes, refused] = [0, 0];
  const connections = connectionsTo(address);
  const range = async (cookie: string, from: number) => {
    const began = performance.now();
    const headers = { cookie, range: `bytes=${from}-${from + piece - 1}` };
    const onFirst = () => first!.push(performance.now() - began);
    const response = await connections.send({ path: film, headers, onFirst });
    if (response.status !== 206) refused++;
    bytes += response.bytes;
  };
  const play = async (cookie: string, index: number) => {
    await wait((index * pieceMs) / connectionCookies.length); // staggered start
    let due = performance.now();
    for (let from = 0; !isOver; from = (from + piece) % (piece * 150)) {
      await range(cookie, from);
      late!.push(Math.max(0, performance.now() - due));
      due = Math.max(due + pieceMs, performance.now() - 5_000);
      await wait(Math.max(0, due - performance.now()));
    }
  };
  const all = connectionCookies.map(play);
  print('ready');
  await Promise.all(all);
  connections.close();
  print({ firstByte: timesOf(first!), late: timesOf(late!), bytes, refused } satisfies PlaybackResult);
}

async function listen() {
  const eventTimes: EventTimes = connectionCookies.map(() => []);
  const streams = connectionCookies.map(
    (cookie, index) =>
      new Promise<http.ClientRequest>((resolve, reject) => {
        const request = http
          .get(`${options.address}/api/events/`, { agent, headers: { cookie } }, (response) => {
            if (response.statusCode !== 200) return reject(new Error(`the events answered ${response.statusCode}`));
            response.setEncoding('utf8').on('data', (text: string) => {
              if (text.includes('event: changed')) eventTimes[index]!.push(performance.timeOrigin + performance.now());
            });
            response.on('error', () => {});
            resolve(request);
          })
          .on('error', reject);
      }),
  );
  const requests = await Promise.all(streams);
  print('ready');
  while (!isOver) await wait(50);
  for (const request of requests) request.on('error', () => {}).destroy();
  print(eventTimes);
}

await (options.what === 'watch' ? watch() : listen());
agent.destroy();
