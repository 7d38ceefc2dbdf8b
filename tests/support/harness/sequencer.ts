import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that start processes and wait for them run first: at the end of a run, processors would have nothing else to do
 * meanwhile.
 */
const WAITING = /\/tests\/(scenarios\/start|server\/db\/backup)\//;

/** A small file that takes longest: started late, it would run alone at the end. */
const LONG = /\/tests\/scenarios\/second-opinion\//;

/** Starts with files that wait or take long; the others keep Vitest's order, the largest first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification) => WAITING.test(moduleId) || LONG.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((it) => !isFirst(it))];
  }
}
