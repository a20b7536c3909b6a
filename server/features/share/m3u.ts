import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachmentHeader } from '../../platform/http/files/files.ts';
import { textElement, xml, xmlDocument } from '../../platform/lib/xml.ts';

/** An entry of a playlist for players. */
interface ListEntry {
  id: string;
  title: string;
  durationSeconds: number;
  url: string;
}

// A line break in a title would start another line of the file.
// oxlint-disable-next-line no-control-regex
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();

/** Content type of M3U. VLC expects HTTP Live Streaming from application/vnd.apple.mpegurl. */
const m3uType = 'audio/x-mpegurl; charset=utf-8';

/** Serializes a playlist in the extended M3U format, UTF-8. */
const renderM3u = (name: string, entries: ListEntry[]): string =>
  [
    '#EXTM3U',
    `#PLAYLIST:${oneLine(name)}`,
    ...entries.flatMap(({ title, durationSeconds, url }) => [`#EXTINF:${durationSeconds},${oneLine(title)}`, url]),
    '',
  ].join('\n');

/** Whether a request is one of yt-dlp, the only client that accepts pages, but no compression. */
export const isYtdlp = ({ headers }: FastifyRequest) =>
  /text\/html/.test(headers.accept ?? '') && headers['accept-encoding'] === 'identity';

/** Serializes a playlist as RSS, with what yt-dlp reads of it. */
const renderRss = (name: string, entries: ListEntry[]): string =>
  xmlDocument(
    xml(
      'rss',
      { version: '2.0', 'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd' },
      xml(
        'channel',
        {},
        textElement('title', name),
        entries.map(({ id, title, durationSeconds, url }) =>
          xml(
            'item',
            {},
            textElement('title', title),
            xml('guid', { isPermaLink: 'false' }, id),
            xml('enclosure', { url }),
            textElement('itunes:duration', durationSeconds),
          ),
        ),
      ),
    ),
  );

/** Sends a playlist as M3U; as RSS to yt-dlp, which takes every M3U for one video in HLS segments. */
export function sendList(request: FastifyRequest, reply: FastifyReply, name: string, entries: ListEntry[]): void {
  reply.header('Cache-Control', 'private, no-cache');
  if (isYtdlp(request)) void reply.type('application/rss+xml; charset=utf-8').send(renderRss(name, entries));
  else
    void reply
      .type(m3uType)
      .header('Content-Disposition', attachmentHeader(`${name}.m3u8`))
      .send(renderM3u(name, entries));
}
