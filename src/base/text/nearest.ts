import leven from "leven";
import { longestName } from "./printable.js";

/** "Did you mean …?" with the nearest candidate, or the list of candidates if none is near. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near.length > 0) return `Did you mean "${near[0]}"?`;
  return candidates.length === 0 ? "" : `Known are: ${candidates.join(", ")}.`;
}

/** The candidates that are near to a word, nearest first: at most a third of the letters differ, or it is cut short. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  if (word.length > longestName) return [];
  const wanted = word.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(candidate.length, word.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** Edits from one word to the other. Two swapped letters, or a missing end, count as one. */
function distanceOf(word: string, candidate: string): number {
  if (word.length > 1 && candidate.startsWith(word)) return candidate === word ? 0 : 1;
  const edits = leven(word, candidate);
  const sameLetters = () => [...word].sort().join("") === [...candidate].sort().join("");
  return edits === 2 && word.length === candidate.length && sameLetters() ? 1 : edits;
}
