import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They start processes and wait for them: at the end of a run, processors would have nothing else to do meanwhile. */
const WAITING = /\/tests\/(scenarios\/start|server\/db\/backup)\//;

/** Begins with what waits; otherwise in Vitest's order, the largest file first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((it) => !waits(it))];
  }
}
