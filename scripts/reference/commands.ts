import type { Command, Option } from "commander";
import { commandLine } from "../../src/cli/program.js";
import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { codes } from "../markdown.js";

/** What can be typed: every command with its arguments and options, as its `--help` shows them. */
export const commandTables = { commands };

const settings = new Map(settingNames.map((name) => [longOf(settingFacts(name).flag), settingFacts(name)]));

function commands(): string {
  const said = new Map<string, string>();
  return commandLine()
    .commands.map((command) => section(command, said))
    .join("\n\n");
}

/** @param said what was told of an earlier command, and is not told again: the text, and the name of the command */
function section(command: Command, said: Map<string, string>): string {
  const own = command.options.filter((option) => !option.hidden && !isSetting(option));
  const rows = own.map(({ flags, description }) => ({ flags, description, before: said.get(flags + description) }));
  for (const { flags, description } of own) said.set(flags + description, command.name());
  const repeated = rows.filter(({ before }) => before !== undefined);
  const lines = [
    ...command.registeredArguments.map((argument) => `- \`${argument.name()}\`: ${argument.description}`),
    ...rows.filter(({ before }) => before === undefined).map((row) => `- \`${row.flags}\`: ${row.description}`),
    ...(repeated.length === 0 ? [] : [`- ${codes(repeated.map((row) => longOf(row.flags)))}: as above`]),
    ...settingsOf(command, said),
  ];
  return [
    `## ${command.name()}`,
    `\`${command.name()} ${command.usage()}\`: ${command.description()}.`,
    lines.join("\n"),
  ].join("\n\n");
}

/** Whether an option is a setting of the sandbox, which has a page of its own. */
function isSetting({ flags, description }: Option): boolean {
  const facts = settings.get(longOf(flags));
  return facts !== undefined && description.endsWith(`; ${facts.variable})`);
}

/** The settings that a command takes, and the defaults that are its own. */
function settingsOf(command: Command, said: Map<string, string>): readonly string[] {
  const taken = command.options.filter((option) => isSetting(option) && !option.hidden);
  if (taken.length === 0) return [];
  const flags = taken.map((option) => longOf(option.flags));
  const defaults = taken.flatMap((option) => {
    const own = /\(default: (.*); SANDBOX_/.exec(option.description)?.[1];
    const usual = settings.get(longOf(option.flags))?.shownDefault;
    return own === usual ? [] : [`\`${longOf(option.flags)}\` ${own}`];
  });
  const here = defaults.length === 0 ? "" : `; defaults here: ${defaults.join("; ")}`;
  return [`- [settings](settings.md): ${whichOf(command, flags, said)}${here}`];
}

/** Names the settings of a command: by those of an earlier one, by what is missing, or one by one. */
function whichOf(command: Command, flags: readonly string[], said: Map<string, string>): string {
  const [like, ...missing] = [...said.entries()].flatMap(([known, name]) => {
    if (!known.startsWith("settings ")) return [];
    const others = known.split(" ").slice(1);
    return flags.every((flag) => others.includes(flag)) && others.length <= flags.length + 1
      ? [name, ...others.filter((flag) => !flags.includes(flag))]
      : [];
  });
  if (like !== undefined) return `those of \`${like}\`${missing.length === 0 ? "" : ` but ${codes(missing)}`}`;
  const without = [...settings.keys()].filter((flag) => !flags.includes(flag));
  if (without.length === 0) return "all";
  if (without.length > flags.length) return codes(flags);
  said.set(["settings", ...flags].join(" "), command.name());
  return `all but ${codes(without)}`;
}

/** The name of an option, with its dashes. */
function longOf(flags: string): string {
  return /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;
}
