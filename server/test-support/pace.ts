const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// Some systems measure CPU time of a thread in ticks of 4 ms. Shorter runs are repeated until they are measurable.
const minimumMs = 40;

/**
 * Returns the CPU milliseconds of this thread for one run, the fastest of three measurements. Other load on the machine hardly
 * affects it, so inputs of different lengths can be compared.
 */
export const fastestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const startedAt = cpuMs();
      let [runs, elapsed] = [0, 0];
      for (; elapsed < minimumMs; elapsed = cpuMs() - startedAt) {
        run();
        runs++;
      }
      return elapsed / runs;
    }),
  );
