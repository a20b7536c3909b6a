import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { rm } from 'node:fs/promises';
import { ProcessError, run } from '../process/run.ts';
import { createTempDir } from '../process/temp-dir.ts';
import { failureOf, type Failure } from './failure.ts';
import { alwaysOptions, environmentOf, withoutSecrets, type Ytdlp } from './options.ts';

// Proves that yt-dlp solves the challenges of a player: it extracts a video of a page on loopback whose player script ships with us, without
// the network. That needs every part of the chain: yt-dlp, its Python, Node, and yt-dlp-ejs in the version that this yt-dlp accepts.

// The smallest script that yt-dlp-ejs reads (https://github.com/yt-dlp/ejs, src/yt/solver): a function creates an address, calls
// `set("alr","yes")`, and deciphers a signature into the given parameter; the third method of the address replaces `n`. Both are reversed here.
const player = `var _yt_player={};(function(g){var window=this;var about={signatureTimestamp:20391};
function reversed(text){return text.split("").reverse().join("")}
class Address{constructor(){this.query={}}set(key,value){this.query[key]=value}get(key){return this.query[key]}
solve(){if(this.query.n)this.query.n=reversed(this.query.n)}}
function createAddress(url,parameter,s){var address=new Address();address.set("alr","yes");
if(s)address.set(parameter,encodeURIComponent(reversed(decodeURIComponent(s))));return address}
g.createAddress=createAddress})(_yt_player);`;
const playerPath = '/s/player/0a1b2c3d/player_ias.vflset/en_US/base.js';
const n = 'challengeNumberN';
const signature = 'signatureOfTheFormatThatIsReversed';
const reversed = (text: string) => text.split('').reverse().join('');

const videoId = 'solverProof';
const response = {
  playabilityStatus: { status: 'OK' },
  videoDetails: { videoId, title: 'Solver', lengthSeconds: '1', channelId: `UC${'0'.repeat(22)}`, author: 'Solver' },
  streamingData: {
    adaptiveFormats: [
      {
        itag: 140,
        mimeType: 'audio/mp4; codecs="mp4a.40.2"',
        bitrate: 64_000,
        contentLength: '1000',
        approxDurationMs: '1000',
        signatureCipher: String(
          new URLSearchParams({ s: signature, sp: 'sig', url: `https://rr1.googlevideo.com/videoplayback?itag=140&n=${n}` }),
        ),
      },
    ],
  },
};
const context = { client: { clientName: 'WEB', clientVersion: '2.20250601.00.00', hl: 'en' } };
const configuration = { INNERTUBE_API_KEY: 'x', INNERTUBE_CONTEXT: context, PLAYER_JS_URL: playerPath };
const sections = [{ videoPrimaryInfoRenderer: {} }, { videoSecondaryInfoRenderer: {} }];
const page = { contents: { twoColumnWatchNextResults: { results: { results: { contents: sections } } } } };
const watchPage = `<!doctype html><script>ytcfg.set(${JSON.stringify(configuration)});</script>
<script>var ytInitialPlayerResponse = ${JSON.stringify(response)};</script><script>var ytInitialData = ${JSON.stringify(page)};</script>`;

const bodyOf = (path: string): string | undefined => {
  if (path.startsWith('/watch')) return watchPage;
  if (path.startsWith('/s/player/')) return player;
  return path.startsWith('/youtubei/v1/player') ? JSON.stringify(response) : undefined;
};

// Protects nothing: yt-dlp talks to this process on loopback, without checking the certificate.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUu3jikxTXUI0Zped
etoFLhKymWaEVtcpsPDh3sXKE3yhRANCAAQJrgpgzlVrrzcVe9FuiFHzvuesV7u+
BhOsoSZ8Uh5miWxWSVLwNiNkR3d8Ip8sz/9UXewWj2Kp06fw8WM61EX5
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUNBrkwIy86U7EK2Os37HEMHEqBfswCgYIKoZIzj0EAwIw
HzEdMBsGA1UEAwwUc29sdmVyLXByb29mLmludmFsaWQwIBcNMjYxMTI3MTgwOTA3
WhgPMjEyNjExMDMxODA5MDdaMB8xHTAbBgNVBAMMFHNvbHZlci1wcm9vZi5pbnZh
bGlkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECa4KYM5Va683FXvRbohR877n
rFe7vgYTrKEmfFIeZolsVklS8DYjZEd3fCKfLM//VF3sFo9iqdOn8PFjOtRF+aNT
MFEwHQYDVR0OBBYEFFXmL5J1vaESf6WT5z3wpdux+h/lMB8GA1UdIwQYMBaAFFXm
L5J1vaESf6WT5z3wpdux+h/lMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
SAAwRQIgTRojwF7KmVf1wVL0enZfloMpzakALNldOnWiNXy6TwACIQDaAFwMRa2R
SOJGvB3UzuTCBNgKl5wruUOg3pa5iEvybQ==
-----END CERTIFICATE-----`;

/** Listens on loopback as a proxy behind which every host is the page. */
async function servePage() {
  let lastRequestAt = 0;
  const respond = (request: IncomingMessage, reply: ServerResponse) => {
    lastRequestAt = performance.now();
    const body = bodyOf(request.url ?? '');
    request.resume();
    reply.writeHead(body === undefined ? 404 : 200, { connection: 'close' }).end(body);
  };
  const secure = createTlsServer({ key, cert }, respond);
  const sockets = new Set<Duplex>();
  const proxy = createServer().on('connect', (_, socket: Duplex, head: Buffer) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    secure.emit('connection', socket);
  });
  secure.on('tlsClientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => proxy.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lastRequestAt: () => lastRequestAt,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** Versions of the parts that yt-dlp found, by their names: `yt_dlp_ejs`, `Cryptodome`, `curl_cffi`; null if it names none. */
export interface YtdlpParts {
  python: string | null;
  /** JavaScript runtime, such as `node 26.12.1`. */
  runtime: string | null;
  libraries: Partial<Record<string, string>>;
}

/** Reads the parts from the output of `--verbose`. */
export function readParts(stderr: string): YtdlpParts {
  const list = (name: string) => new RegExp(`^\\[debug\\] ${name}: (.*)$`, 'm').exec(stderr)?.[1]?.split(', ') ?? [];
  const library = (text: string): [string, string][] => {
    const found = /^(\w+)-(\S+)$/.exec(text);
    return found ? [[found[1]!, found[2]!]] : [];
  };
  return {
    python: /^\[debug\] Python (\S+)/m.exec(stderr)?.[1] ?? null,
    runtime:
      list('JS runtimes')
        .find((text) => /^\w+-[\d.]+$/.test(text))
        ?.replace('-', ' ') ?? null,
    libraries: Object.fromEntries(list('Optional libraries').flatMap(library)),
  };
}

/** What a proof has shown. */
export interface SolverProof {
  /** Time to solve both challenges, in seconds; null if they were not solved. */
  seconds: number | null;
  /** Why they were not. */
  failure: Failure | null;
  parts: YtdlpParts;
  /** Version of yt-dlp-ejs that this yt-dlp accepts, if another one is installed. */
  wantedSolver: string | null;
}

type ProvenYtdlp = Pick<Ytdlp, 'program' | 'node' | 'path' | 'ffmpegFolder' | 'packages'>;
const withoutAccess = {
  jar: null,
  poToken: { token: null, provider: null },
  canImpersonate: false,
  browserHosts: new Set<string>(),
  playerClient: null,
};

const maxMs = 60_000;

/**
 * Lets yt-dlp solve the challenges of the page. Takes about a second; the first start of a new version takes longer.
 * @throws only the reason of the signal
 */
export async function proveSolver(ytdlp: ProvenYtdlp, signal: AbortSignal): Promise<SolverProof> {
  const folder = await createTempDir();
  const site = await servePage();
  const { args, input } = withoutSecrets([
    ...alwaysOptions({ ...ytdlp, ...withoutAccess, proxyUrl: site.url, insecure: true, cacheFolder: folder }),
    '--verbose',
    '--retries=0',
    '--extractor-retries=0',
    '--skip-download',
    // Some clients want a token for formats that they list.
    '--extractor-args=youtube:formats=missing_pot;player_skip=configs',
    '--print=urls',
  ]);
  let stderr = '';
  const onStderr = (text: string) => void (stderr = (stderr + text).slice(0, 200_000));
  const prove = async (): Promise<Pick<SolverProof, 'seconds' | 'failure'>> => {
    try {
      const { stdout } = await run(ytdlp.program.command, [...args, '--', `https://www.youtube.com/watch?v=${videoId}`], {
        cwd: folder,
        input,
        env: environmentOf(ytdlp),
        signal,
        timeMs: maxMs,
        onStderr,
      });
      const query = URL.canParse(stdout.trim()) ? new URL(stdout.trim()).searchParams : null;
      const isSolved = query?.get('n') === reversed(n) && query.get('sig') === reversed(signature);
      const seconds = (performance.now() - site.lastRequestAt()) / 1000;
      return isSolved
        ? { seconds, failure: null }
        : { seconds: null, failure: failureOf(`${stderr}\nERROR: No video formats found`) };
    } catch (error) {
      signal.throwIfAborted();
      return { seconds: null, failure: failureOf(error instanceof ProcessError ? error : String(error)) };
    }
  };
  try {
    const wantedSolver = () => /supported version: ([\d.]+)/.exec(stderr)?.[1] ?? null;
    return { ...(await prove()), parts: readParts(stderr), wantedSolver: wantedSolver() };
  } finally {
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}
