// A person may choose hundreds; the server is asked for a few at a time.
const atOnce = 4;

/** Does something for each, a few at a time; the first failure ends it, when what was begun is over. */
export async function forEach<T>(all: T[], work: (one: T) => Promise<unknown>) {
  const rest = [...all];
  const next = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  };
  const done = await Promise.allSettled(Array.from({ length: atOnce }, next));
  const failed = done.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason as Error;
}
