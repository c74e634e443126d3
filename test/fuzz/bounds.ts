/**
 * How far resident memory may exceed that of the warm server once its clients have disconnected and its journal is
 * empty, in bytes.
 *
 * A healthy server may keep this much: V8 returns the pages of a formerly full heap late and only in part, and the
 * allocator of the C library keeps fragmented memory. A leak of 1 KiB for each connection exceeds it after about 200,000 connections.
 */
export const allowedGrowth = 200 * 2 ** 20;

/**
 * Descriptors that a server may have open in addition to those of the start: files and pipes that are opened when first
 * needed.
 */
export const allowedDescriptors = 8;

/**
 * How long memory, descriptors and the last exchanges may take to settle, in milliseconds. Each wait ends as soon as
 * they have.
 */
export const settleTime = 30_000;

/** The interval between checks of the server's health, in milliseconds. */
export const probeInterval = 500;

/** How many of the last inputs a report contains. */
export const lastInputs = 20;

/** A surface ends after this many different problems. */
export const mostProblems = 20;
