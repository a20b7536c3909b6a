type Field = 'title' | 'description' | 'thumbnail';

/** An earlier value of a field, as the server lists it: newest first. */
export interface EarlierValue {
  what: Field;
  /** Time of the change, epoch seconds. */
  until: number;
  value: string;
}

/** The fields that a refresh found changed. */
export interface Change {
  at: number;
  fields: { field: Field; before: string; after: string }[];
}

// A refresh stores texts and thumbnail one after another.
const sameRefreshSeconds = 600;

/** Builds the changes of a video, newest first, from its earlier and current values. */
export function buildTimeline(history: EarlierValue[], current: Record<Field, string>): Change[] {
  const newer = { ...current };
  const changes: Change[] = [];
  for (const { what, until, value } of history) {
    const last = changes.at(-1);
    const isSameRefresh = last && last.at - until <= sameRefreshSeconds && !last.fields.some(({ field }) => field === what);
    const change = isSameRefresh ? last : { at: until, fields: [] };
    if (!isSameRefresh) changes.push(change);
    change.fields.push({ field: what, before: value, after: newer[what] });
    newer[what] = value;
  }
  const order: Field[] = ['title', 'thumbnail', 'description'];
  for (const { fields } of changes) fields.sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  return changes;
}
