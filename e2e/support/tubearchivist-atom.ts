// Writes the metadata that TubeArchivist embeds with add_metadata: free-form atoms of `com.tubearchivist`, which ffmpeg cannot
// write.

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
const emptyFlags = Buffer.alloc(4);

function freeForm(name: string, kind: number, data: Buffer): Buffer {
  const type = Buffer.alloc(8);
  type.writeUInt32BE(kind);
  return box(
    '----',
    box('mean', emptyFlags, Buffer.from('com.tubearchivist')),
    box('name', emptyFlags, Buffer.from(name)),
    box('data', type, data),
  );
}

/** Adds a TubeArchivist metadata document and a channel icon to an mp4 file by ffmpeg, whose `moov` is the last box. */
export function embedDocument(mp4: Buffer, document: object | string): Buffer {
  let offset = 0;
  while (mp4.toString('latin1', offset + 4, offset + 8) !== 'moov') offset += mp4.readUInt32BE(offset);
  const size = mp4.readUInt32BE(offset);
  if (offset + size !== mp4.length) throw new Error('moov is not the last box.');
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const list = box(
    'ilst',
    freeForm('ta', 1, Buffer.from(text)),
    freeForm('channel_icon', 13, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46])),
  );
  const handler = box('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9));
  const data = box('udta', box('meta', emptyFlags, handler, list));
  const result = Buffer.concat([mp4, data]);
  result.writeUInt32BE(size + data.length, offset);
  return result;
}
