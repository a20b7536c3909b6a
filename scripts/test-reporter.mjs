// Vitest reporter: appends the events of a run to the file REELKEEP_TEST_EVENTS, one JSON object per line. They are complete up to
// the end of a run that is killed.
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const maxErrorChars = 2000;

const errorOf = ({ name, message, cause, stack }) => {
  const causes = cause?.message ? ` (${cause.message})` : '';
  const text = stripVTControlCharacters(`${name ?? 'Error'}: ${message || stack}${causes}`);
  return text.length > maxErrorChars ? `${text.slice(0, maxErrorChars)}…` : text;
};

/** Returns the line of the first frame in the file. */
const lineIn = (path, errors) => errors[0]?.stacks?.find(({ file }) => file === path)?.line;

export default class TestReporter {
  #root = '';
  /** Load average at the end of each failed test, by task id. */
  #loads = new Map();

  #write(event) {
    appendFileSync(process.env.REELKEEP_TEST_EVENTS, `${JSON.stringify(event)}\n`);
  }

  #pathOf = (path) => relative(this.#root, path);

  onInit(vitest) {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications) {
    const files = specifications.map(({ moduleId, project }) => ({ path: this.#pathOf(moduleId), project: project.name }));
    this.#write({ event: 'planned', files });
  }

  onTestModuleStart({ moduleId }) {
    this.#write({ event: 'started', path: this.#pathOf(moduleId), at: Date.now() });
  }

  onTestCaseResult(test) {
    if (test.result().state === 'failed') this.#loads.set(test.id, loadavg()[0]);
  }

  onTestModuleEnd(module) {
    const outcome = { passed: 0, failed: [], skipped: [] };
    const fail = (test, errors, load = loadavg()[0]) =>
      outcome.failed.push({
        test,
        line: lineIn(module.moduleId, errors),
        error: errors.map(errorOf).join('\n'),
        load: Number(load.toFixed(1)),
      });
    const errors = module.errors();
    if (errors.length > 0) fail('(the file)', errors);

    const collect = (part, { isBroken, isSkipped }) => {
      for (const child of part.children) {
        const isLeftOut = isSkipped || child.options.mode === 'skip' || child.options.mode === 'todo';
        if (child.type === 'suite') {
          const errors = child.errors();
          if (errors.length > 0) fail(`${child.fullName} (a hook)`, errors);
          collect(child, { isBroken: isBroken || errors.length > 0, isSkipped: isLeftOut });
          continue;
        }
        const result = child.result();
        if (result.state === 'passed') outcome.passed++;
        else if (result.state === 'failed') fail(child.fullName, result.errors, this.#loads.get(child.id));
        // In a suite within a suite that is skipped, tests stay pending.
        else if (isLeftOut || (result.state === 'skipped' && !isBroken))
          outcome.skipped.push({ test: child.fullName, reason: result.note });
        else fail(child.fullName, [{ message: 'did not run, because a hook failed or the process ended' }]);
      }
    };
    collect(module, { isBroken: errors.length > 0, isSkipped: false });
    // Vitest reports the file as failed, but none of its tests or hooks, and it was loaded.
    if (module.state() === 'failed' && outcome.failed.length === 0) fail('(the file)', [{ message: 'failed' }]);
    const seconds = Math.round(module.diagnostic().duration / 100) / 10;
    this.#write({ event: 'ended', path: this.#pathOf(module.moduleId), seconds, ...outcome });
  }

  onTestRunEnd(_modules, unhandledErrors) {
    const unhandled = unhandledErrors.map((error) => ({
      path: error.VITEST_TEST_PATH && this.#pathOf(error.VITEST_TEST_PATH),
      error: errorOf(error),
    }));
    this.#write({ event: 'run-ended', unhandled });
  }
}
