/**
 * By how much resident memory may be above that of the warm server once its clients are gone and its journal is empty, in bytes.
 *
 * It is no less than what a healthy server keeps: the journal alone may take 64 MiB, the old generation of the heap may double before it is
 * collected, V8 returns the pages of a heap that was full late and in part, and the allocator of the C library keeps what is scattered. A
 * leak of 1 KiB for each connection passes it after some 200,000 connections.
 */
export const allowedGrowth = 200 * 2 ** 20;

/** Descriptors that a server may have open beside those of the start: files and pipes that are opened when first needed. */
export const allowedDescriptors = 8;

/** How long memory, descriptors and the last exchanges may take to come to rest, in milliseconds. Each of them ends the wait. */
export const settleTime = 30_000;

/** From one look at the server's health to the next, in milliseconds. */
export const probeInterval = 500;

/** How many of the last inputs a report has. */
export const lastInputs = 20;

/** A surface has failed enough after so many different problems. */
export const mostProblems = 20;
