/** A request for a PO token, as yt-dlp sends it. */
export interface TokenRequest {
  /** What the token is bound to: visitor data, an account or a video. */
  binding: string;
  /** The InnerTube context of the client, with its visitor data. */
  context?: object | undefined;
  /** Challenge of the watch page. */
  challenge?: object | undefined;
}

export interface PoToken {
  token: string;
  /** Epoch milliseconds. Tokens of the own source are as old as the attestation that they are created with. */
  createdAt: number;
}

/** Where PO tokens come from. */
export interface TokenSource {
  /** @throws MessageError */
  request(request: TokenRequest, signal: AbortSignal): Promise<PoToken>;
  /** Ends processes. The source can be used again. */
  close(): Promise<void>;
}

// Base64url. Tokens of YouTube have some hundred characters.
const form = /^[\w-]{2,10000}={0,2}$/;

/** Returns a token with padding, or null for something else. yt-dlp would print an invalid token, also one without padding. */
export function readToken(value: unknown): string | null {
  if (typeof value !== 'string' || !form.test(value)) return null;
  const digits = value.replace(/=+$/, '');
  return digits.length % 4 === 1 ? null : digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

/** Parses JSON; returns undefined if it is none. The text of a syntax error would contain a part of it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
