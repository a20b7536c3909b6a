/** Returns the first second of a day (`yyyy-mm-dd`) in UTC; null for a day that does not exist. */
export function startOfUtcDay(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN;
  // 30 February would become a day in March.
  return !Number.isNaN(at) && new Date(at * 1000).toISOString().startsWith(text) ? at : null;
}
