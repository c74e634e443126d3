type Cleanup = () => unknown;

const ofTest: Cleanup[] = [];
const ofFile: Cleanup[] = [];

/** Has something done when the test is over. The last is done first. */
export function afterTest(cleanup: Cleanup): void {
  ofTest.push(cleanup);
}

/** Has something done when the tests of the file are over: those that run side by side share what is cleaned up. */
export function afterFile(cleanup: Cleanup): void {
  ofFile.push(cleanup);
}

export const cleanUpTest = () => runAll(ofTest);
export const cleanUpFile = () => runAll(ofFile);

async function runAll(cleanups: Cleanup[]): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
