const processorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// Some systems count the time of a thread in ticks of four milliseconds: what is quicker than a tick is told by many runs.
const leastMs = 40;

/**
 * Milliseconds of the processor that a run of this thread's work takes, the quickest of three times: what else the machine does
 * meanwhile hardly changes it, so that what is twice as long can be compared with what is not.
 */
export const fastestMs = (work: () => void): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const begun = processorMs();
      let [runs, took] = [0, 0];
      for (; took < leastMs; took = processorMs() - begun) {
        work();
        runs++;
      }
      return took / runs;
    }),
  );
