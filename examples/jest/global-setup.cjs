// Runs once before all tests. The tests run in other processes, which find the sandbox by their environment.
module.exports = async () => {
  const { startSandbox } = await import("business-payments-sandbox");
  globalThis.sandbox = await startSandbox();
  process.env.SANDBOX_ADMIN_URL = globalThis.sandbox.adminUrl;
};
