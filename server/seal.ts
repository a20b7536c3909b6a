import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The keys of an archive. They may be others a moment later: a command of the console replaces them beside the program. */
export interface Keys {
  /** Seals and signs. 32 bytes. */
  readonly present: Buffer;
  /** The present one first, then those that what was sealed earlier may still need. */
  readonly all: readonly Buffer[];
}

/** These keys and no others, the present one first. */
export const keysOf = (present: Buffer, ...former: Buffer[]): Keys => ({ present, all: [present, ...former] });

interface Way {
  /** Both read the mark as well, so that no other one can be put before what was sealed. */
  seal(key: Buffer, text: string, mark: string): Buffer;
  unseal(key: Buffer, sealed: Buffer, mark: string): string;
}

/** The ways of sealing, by what they are called before it. A new one stands beside those that were used. */
const ways: Record<string, Way> = {
  // A new nonce each time, then the tag.
  'aes-256-gcm': {
    seal(key, text, mark) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(mark));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal(key, sealed, mark) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(mark))
        .setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
  },
};
const presentWay = 'aes-256-gcm';

/** Tells a key from others and says nothing of it. */
const nameOf = (key: Buffer) => createHmac('sha256', key).update('reelkeep sealed').digest('hex').slice(0, 8);
const markOf = (key: Buffer) => `${presentWay}.${nameOf(key)}.`;

/** Makes a text unreadable without the key file: `<way>.<name of the key>.<base64url>`. */
export function seal({ present }: Keys, text: string): string {
  const mark = markOf(present);
  return `${mark}${ways[presentWay]!.seal(present, text, mark).toString('base64url')}`;
}

/** Reads what was sealed. Throws when it was sealed with none of these keys, in a way that is not known, or changed. */
export function unseal({ all }: Keys, sealed: string): string {
  const [, mark, way = presentWay, name, body = ''] = /^(([\w-]+)\.([0-9a-f]{8})\.)?([\w-]*)$/.exec(sealed) ?? [];
  const how = Object.hasOwn(ways, way) ? ways[way] : undefined;
  if (!how) throw new Error(`What is kept was sealed in a way that this version does not know (${way}).`);
  // What was sealed before there were marks says neither.
  for (const key of mark === undefined ? all : all.filter((one) => nameOf(one) === name)) {
    try {
      return how.unseal(key, Buffer.from(body, 'base64url'), mark ?? '');
    } catch {
      // of another key, or changed
    }
  }
  throw new Error('What is kept was sealed with another key, or changed.');
}

/** Whether it was sealed in the present way with the present key. */
export const isSealedAnew = ({ present }: Keys, sealed: string): boolean => sealed.startsWith(markOf(present));
