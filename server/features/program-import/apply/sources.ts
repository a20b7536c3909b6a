import { message } from '#contract/messages.ts';
import { lookUpChannelPage } from '../../../archive/channel/save-channel.ts';
import { classifyDownloadError } from '../../../archive/publish/classify-error.ts';
import { invalidPatternIn } from '../../../archive/queue/filter-rules.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { jitteredDelay } from '../../../archive/sites/jittered-delay.ts';
import { inTransaction, type Tx } from '../../../platform/db/db.ts';
import { checkUrl } from '../../../platform/egress/host-policy.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { Subscription } from '../item/item.ts';
import { recordChanges, type Applying, type Change } from './context.ts';

/** Finds the id of a channel that only the site knows. Returns null and reports it if that fails. */
async function resolve(applying: Applying, source: Subscription): Promise<Subscription | null> {
  if (source.id !== null) return source;
  const { app, signal, isDry, report } = applying;
  if (isDry) {
    report('note', source.url, message('migrate.no-channel'));
    return { ...source, id: source.url };
  }
  try {
    const refusal = checkUrl(source.url, app.config.allowPrivate);
    if (refusal) throw new MessageError(refusal);
    await jitteredDelay((await readSettings(app.db)).downloads.sleep_interval, signal);
    const info = await lookUpChannelPage(app, source.url, signal);
    return { ...source, id: info.id, url: info.url ?? source.url, name: info.name ?? source.name };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof MessageError ? error.messages : classifyDownloadError(error).message;
    report('problem', source.url, message('migrate.lookup', { why }));
    return null;
  }
}

type Resolved = Subscription & { id: string };
type SourceRow = {
  isSubscribed: 0 | 1;
  rules: string | null;
  overwrites?: string | null;
  backCatalogue: 'none' | 'newest' | 'all' | null;
  autoStart?: 0 | 1 | null;
};

async function findRow(tx: Tx, { kind, id }: Resolved): Promise<SourceRow | undefined> {
  return kind === 'channel'
    ? tx
        .selectFrom('channel')
        .select(['isSubscribed', 'rules', 'overwrites', 'backCatalogue'])
        .where('id', '=', id)
        .executeTakeFirst()
    : tx
        .selectFrom('playlist')
        .select(['isSubscribed', 'rules', 'autoStart', 'backCatalogue'])
        .where('id', '=', id)
        .executeTakeFirst();
}

const insertRow = (tx: Tx, { kind, id, name, url }: Resolved, now: number) => {
  const names = {
    id,
    name,
    sortName: normalizeText(name),
    url,
    refreshedAt: 0,
    isSubscribed: 1 as const,
    backCatalogue: 'none' as const,
  };
  const site = id.startsWith('UC') || !id.includes('.') ? 'youtube' : id.slice(0, id.indexOf('.'));
  return kind === 'channel'
    ? tx
        .insertInto('channel')
        .values({ ...names, site, siteId: id, addedAt: now, tabs: '["videos","streams","shorts"]' })
        .execute()
    : tx
        .insertInto('playlist')
        .values({ ...names, kind: 'regular', isActive: 1, isShared: 1 })
        .execute();
};

/** Returns the changes that rules and formats make; those that are set here stay. */
function changesByRules({ kind, options }: Resolved, row: SourceRow): Partial<SourceRow> {
  if (!options) return {};
  const own = row.rules ? (JSON.parse(row.rules) as object) : {};
  const rules = { ...options.rules, ...own };
  const set = row.overwrites ? (JSON.parse(row.overwrites) as object) : {};
  const auto = options.autoStart === null ? {} : { subscriptions_auto_start: options.autoStart };
  const overwrites = { ...options.overwrites, ...auto, ...set };
  const changed: Partial<SourceRow> = {};
  if (Object.keys(rules).length > Object.keys(own).length) changed.rules = JSON.stringify(rules);
  if (kind === 'channel' && Object.keys(overwrites).length > Object.keys(set).length)
    changed.overwrites = JSON.stringify(overwrites);
  if (kind === 'playlist' && options.autoStart !== null && row.autoStart === null) changed.autoStart = options.autoStart ? 1 : 0;
  return changed;
}

const hasOptions = ({ options }: Subscription) =>
  options !== null &&
  (Object.keys(options.rules).length > 0 || Object.keys(options.overwrites).length > 0 || options.autoStart !== null);

/** Leaves out an expression that is not supported here. */
function withoutInvalid(applying: Applying, source: Resolved): Resolved {
  const text = source.options?.rules.title_include;
  const why = text ? invalidPatternIn(text) : null;
  if (!text || !why || !source.options) return source;
  applying.report('note', source.name, message('migrate.rule-regex', { text: text.slice(0, 100), why }));
  const { title_include: _, ...rules } = source.options.rules;
  return { ...source, options: { ...source.options, rules } };
}

const pick = (row: SourceRow, keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key as keyof SourceRow] ?? null]));

/** Subscribes to a channel or playlist and sets its rules, as far as both are imported. Existing choices are kept. */
export async function applySubscription(applying: Applying, found: Subscription): Promise<void> {
  const { app, isDry, takes, count, known } = applying;
  const wantsSubscription = takes.has('subscriptions');
  const wantsRules = takes.has('rules') && hasOptions(found);
  if (!wantsSubscription && !wantsRules) return;
  const resolved = await resolve(applying, found);
  if (!resolved) {
    if (wantsSubscription) count('subscriptions', { found: 1, left: 1 });
    return;
  }
  const source = withoutInvalid(applying, resolved as Resolved);
  const { kind, id } = source;
  await inTransaction(app.db, async (tx) => {
    const changes: Change[] = [];
    let row = await findRow(tx, source);
    const table = kind;
    const update = async (after: Partial<SourceRow>) => {
      if (isDry) return;
      if (kind === 'channel') await tx.updateTable('channel').set(after).where('id', '=', id).execute();
      else await tx.updateTable('playlist').set(after).where('id', '=', id).execute();
    };
    if (wantsSubscription) {
      const isHere = row?.isSubscribed === 1 || known.has('subscriptions', id);
      count('subscriptions', { found: 1, ...(isHere ? { here: 1 } : { added: 1 }) });
      if (isDry) known.add('subscriptions', id);
      else if (!row) {
        await insertRow(tx, source, app.now());
        changes.push({ take: 'subscriptions', kind, subject: id });
        row = await findRow(tx, source);
      } else if (!isHere) {
        const after = { isSubscribed: 1 as const, backCatalogue: row.backCatalogue ?? ('none' as const) };
        await update(after);
        changes.push({
          take: 'subscriptions',
          kind: 'source',
          subject: id,
          state: { table, before: pick(row, Object.keys(after)), after },
        });
      }
    }
    if (wantsRules) {
      const base: SourceRow = row ?? { isSubscribed: 1, rules: null, overwrites: null, backCatalogue: null, autoStart: null };
      const isKnown = row !== undefined || (isDry && wantsSubscription);
      const after = isKnown ? changesByRules(source, base) : {};
      const keys = Object.keys(after);
      const isNew = keys.length > 0 && !known.has('rules', id);
      count('rules', { found: 1, ...(isNew ? { added: 1 } : isKnown ? { here: 1 } : { left: 1 }) });
      if (isDry) known.add('rules', id);
      else if (isNew) {
        await update(after);
        changes.push({ take: 'rules', kind: 'source', subject: id, state: { table, before: pick(base, keys), after } });
      }
    }
    await recordChanges(tx, applying, changes);
  });
}
