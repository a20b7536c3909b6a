import type { AppContext } from '../../platform/context/app-context.ts';
import { isSignatureOf, textSigner } from '../../platform/http/auth/secret-address.ts';

// A browser that downloads a file sends no custom header, so it cannot send the password. It gets a URL with a ticket instead,
// which is valid only with the session that asked for it. All servers of the archive have the key, so each accepts it.

const ticketSeconds = 3600; // long enough to resume an interrupted download
const purpose = 'backup tickets';

interface Holder {
  accountId: number;
  /** The session in the table of sessions. */
  keyHash: string;
  filename: string;
}

const textOf = ({ accountId, keyHash, filename }: Holder, until: number) => [accountId, keyHash, filename, until].join('\n');

/** Creates a ticket that allows this session to download this backup. */
export function createTicket(app: Pick<AppContext, 'keys' | 'now'>, holder: Holder): string {
  const until = app.now() + ticketSeconds;
  return `${until.toString(36)}.${textSigner(app, purpose)(textOf(holder, until))}`;
}

/** Whether the ticket was issued to this session for this backup and has not expired. */
export function isValidTicket(app: Pick<AppContext, 'keys' | 'now'>, ticket: string | undefined, holder: Holder): boolean {
  const [, ends, signature] = /^([0-9a-z]{1,10})\.([\w-]{22})$/.exec(ticket ?? '') ?? [];
  if (ends === undefined || signature === undefined) return false;
  const until = Number.parseInt(ends, 36);
  return until >= app.now() && isSignatureOf(app, purpose, { text: textOf(holder, until), signature });
}
