/** The releases page of yt-dlp: the newest version, signed checksums, the program. */
import { createHash } from 'node:crypto';
import { createMessage, generateKey, sign } from 'openpgp';
import { type Answer, type SiteContext, html, notFound, text, type SiteRequest } from '../answer.ts';
import type { YtdlpRelease } from '../catalogue.ts';

const at = '/yt-dlp/yt-dlp/releases';

// RSA like yt-dlp's key; generated on first use in about 100 ms.
const newKey = (name: string) => generateKey({ type: 'rsa', rsaBits: 2048, userIDs: [{ name }], format: 'object' });
type Key = ReturnType<typeof newKey>;
let own: Key | undefined;
const ownKey = () => (own ??= newKey('stand-in'));

/** Returns the armored public key that signs the releases here. */
export const releaseKey = async () => (await ownKey()).publicKey.armor();

const programOf = ({ program, standalone }: YtdlpRelease, name: string) =>
  name === 'yt-dlp' ? program : (standalone ?? program);

function sumsOf(release: YtdlpRelease): string {
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(release.hasWrongSum ? 'something else' : programOf(release, name))
      .digest('hex');
  const names = ['linux', 'linux_aarch64', 'musllinux', 'musllinux_aarch64'].map((system) => `yt-dlp_${system}`);
  return ['yt-dlp', ...names].map((name) => `${sumOf(name)}  ${name}`).join('\n');
}

async function signatureOf(release: YtdlpRelease): Promise<Answer> {
  if (release.signature === 'missing') return notFound();
  const { privateKey } = await (release.signature === 'by another key' ? newKey('another') : ownKey());
  const sums = release.signature === 'of other sums' ? 'other sums' : sumsOf(release);
  const message = await createMessage({ binary: Buffer.from(sums) });
  const body = await sign({ message, signingKeys: privateKey, detached: true, format: 'binary' });
  return { type: 'application/octet-stream', body: Buffer.from(body) };
}

export function ytdlpReleases({ url }: SiteRequest, { catalogue }: SiteContext): Answer | Promise<Answer> {
  const newest = catalogue.ytdlpReleases.at(-1);
  if (!newest || !url.pathname.startsWith(at)) return notFound();
  const path = url.pathname.slice(at.length);
  if (path === '/latest')
    return { status: 302, type: 'text/plain', body: '', headers: { location: `https://github.com${at}/tag/${newest.version}` } };
  if (path.startsWith('/tag/')) return html(`<title>yt-dlp ${path.slice(5)}</title>`);
  const [, version, name] = /^\/(?:download\/([\d.]+)|latest\/download)\/([\w.-]+)$/.exec(path) ?? [];
  const release = version ? catalogue.ytdlpReleases.find((one) => one.version === version) : newest;
  if (!release) return notFound();
  if (name === 'SHA2-256SUMS') return text(sumsOf(release));
  if (name === 'SHA2-256SUMS.sig') return signatureOf(release);
  return { type: 'application/octet-stream', body: programOf(release, name ?? '') };
}
