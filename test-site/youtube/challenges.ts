/**
 * The challenges of the site and its player script, which solves them. yt-dlp-ejs reads the script like that of the real player
 * (https://github.com/yt-dlp/ejs, src/yt/solver): a function creates an address, calls `set("alr","yes")`, and deciphers `s` into the
 * given parameter; the third method of the address replaces `n`. All identifiers of the script are ours.
 */
import { createHash } from 'node:crypto';
import type { Answer } from '../answer.ts';
import type { Video } from '../catalogue.ts';

// Both functions are also the source of the player script, so they use nothing from outside.
/** Any function of the characters of `n`. */
function unscramble(n: string): string {
  return n
    .split('')
    .reverse()
    .map((letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) * 7 + n.length) % 26)))
    .join('');
}

/** Moves and drops characters; never changes one. */
function decipher(s: string): string {
  const letters = s.split('').reverse();
  const first = letters[0]!;
  letters[0] = letters[9 % letters.length]!;
  letters[9 % letters.length] = first;
  return letters.slice(2).join('');
}

const functions = `function unscramble(n) { return (${unscramble})(n); }\nfunction decipher(s) { return (${decipher})(s); }`;

const readable = `var _yt_player={};(function(g){var window=this;
var config={signatureTimestamp:20391};
${functions}
class Address {
  constructor(url) { this.url = url; this.query = new Map(); }
  set(key, value) { this.query.set(key, value); }
  get(key) { return this.query.get(key); }
  answer() { var n = this.get("n"); if (n) this.set("n", unscramble(n)); }
}
function createAddress(url, parameter, s) {
  var address = new Address(url);
  address.set("alr", "yes");
  if (s) address.set(parameter, encodeURIComponent(decipher(decodeURIComponent(s))));
  return address;
}
g.createAddress=createAddress;
})(_yt_player);
`;

// The solver finds no function that sets "alr", as after a change of the real player.
const unreadable = readable.replace('address.set("alr", "yes");', 'address.put(["alr", "yes"]);');

/** Scripts by the eight hexadecimal digits of their URL: yt-dlp keeps what it learned of a script by its name. */
const scripts = new Map(
  [readable, unreadable].map((text) => [createHash('sha256').update(text).digest('hex').slice(0, 8), text]),
);
const [readableId = '', unreadableId = ''] = scripts.keys();

/** Returns the id of the player of a video. */
export const playerIdOf = (video?: Video): string => (video?.challenge === 'unreadable' ? unreadableId : readableId);

export const playerUrl = (id: string): string => `/s/player/${id}/player_ias.vflset/en_US/base.js`;

/** Returns the script at a path, or undefined. The variants of a player (for televisions, embedded) are the same here. */
export function playerScript(pathname: string): Answer | undefined {
  const text = scripts.get(/^\/s\/player\/([0-9a-f]{8})\//.exec(pathname)?.[1] ?? '');
  return text === undefined ? undefined : { type: 'text/javascript', body: text };
}

const textOf = (seed: string, length: number) => createHash('sha512').update(seed).digest('base64url').slice(0, length);

/**
 * Returns the fields of a format that lead to its file. Of a SABR-only video there are none; itag 18 is the old format without
 * challenge that some videos keep.
 */
export function addressFields(video: Video, itag: number, url: URL): object {
  const { challenge = 'n' } = video;
  if (challenge === 'sabr') return {};
  if (challenge === 'none' || itag === 18) return { url: url.href };
  url.searchParams.set('n', textOf(`n ${video.id} ${itag}`, 17));
  if (challenge !== 'signature') return { url: url.href };
  const cipher = new URLSearchParams({ s: textOf(`s ${video.id} ${itag}`, 60), sp: 'sig', url: url.href });
  return { signatureCipher: cipher.toString() };
}

/** Returns whether a request for media has solved the challenges of its format, and has the required token. */
export function hasSolved(video: Video, itag: number, query: URLSearchParams): boolean {
  const { challenge = 'n' } = video;
  if (challenge === 'sabr' || (video.wantsPoToken && !query.get('pot'))) return false;
  if (challenge === 'none' || itag === 18) return true;
  const isUnscrambled = query.get('n') === unscramble(textOf(`n ${video.id} ${itag}`, 17));
  return isUnscrambled && (challenge !== 'signature' || query.get('sig') === decipher(textOf(`s ${video.id} ${itag}`, 60)));
}
