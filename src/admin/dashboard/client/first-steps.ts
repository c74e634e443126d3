import { useEffect, useState } from "preact/hooks";
import { firstCommands } from "../view/curl.js";
import { factsOfIdentity } from "./files.js";

/** The first commands, with the paths of their files; undefined until they are known. */
export function useFirstCommands(isWanted: boolean): string | undefined {
  const [commands, setCommands] = useState<string>();
  useEffect(() => {
    if (!isWanted || commands !== undefined) return;
    // The page is useful without the commands, too.
    factsOfIdentity("demo").then(
      (facts) => facts && setCommands(firstCommands(facts)),
      () => {},
    );
  }, [isWanted]);
  return commands;
}
