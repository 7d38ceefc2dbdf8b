import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They start processes and wait for them: at the end of a run, processors would have nothing else to do meanwhile. */
const WAITING = /\/tests\/(scenarios\/start|server\/db\/backup)\//;

/** A small file that takes longest: begun late, it would have the processors to itself at the end. */
const LONG = /\/tests\/scenarios\/second-opinion\//;

/** Begins with what waits or takes long; otherwise in Vitest's order, the largest file first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification) => WAITING.test(moduleId) || LONG.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((it) => !isFirst(it))];
  }
}
