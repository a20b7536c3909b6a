import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../platform/context/app-context.ts';

// A browser that downloads a file sends no custom header, so it cannot send the password. It gets a URL with a ticket instead,
// which is valid only with a session of the same account.

const ticketSeconds = 3600; // long enough to resume an interrupted download
const mostTickets = 1000;

interface Holder {
  accountId: number;
  filename: string;
}

// Oldest first.
const tickets = new Map<string, Holder & { until: number }>();

/** Creates a ticket that allows this account to download this backup. */
export function createTicket({ now }: Pick<AppContext, 'now'>, holder: Holder): string {
  for (const [ticket, { until }] of tickets) if (until < now() || tickets.size >= mostTickets) tickets.delete(ticket);
  const ticket = randomBytes(24).toString('base64url');
  tickets.set(ticket, { ...holder, until: now() + ticketSeconds });
  return ticket;
}

/** Whether the ticket was issued to this account for this backup and has not expired. */
export function isValidTicket(
  { now }: Pick<AppContext, 'now'>,
  ticket: string | undefined,
  { accountId, filename }: Holder,
): boolean {
  const known = tickets.get(ticket ?? '');
  return known !== undefined && known.accountId === accountId && known.filename === filename && known.until >= now();
}
