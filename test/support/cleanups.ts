type Cleanup = () => unknown;

const ofTest: Cleanup[] = [];
const ofFile: Cleanup[] = [];

/** Runs a function after the test. The last one is run first. */
export function afterTest(cleanup: Cleanup): void {
  ofTest.push(cleanup);
}

/** Runs a function after the tests of the file, because parallel tests share what is cleaned up. */
export function afterFile(cleanup: Cleanup): void {
  ofFile.push(cleanup);
}

export const cleanUpTest = () => runAll(ofTest);
export const cleanUpFile = () => runAll(ofFile);

async function runAll(cleanups: Cleanup[]): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
