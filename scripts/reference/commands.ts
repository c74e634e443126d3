import type { CommandUnknownOpts as Command, Option } from "@commander-js/extra-typings";
import { commandLine } from "../../src/cli/program.js";
import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { codes } from "../markdown.js";

/** What can be typed: every command with its arguments and options, as its `--help` shows them. */
export const commandTables = { commands };

const settings = new Map(settingNames.map((name) => [longOf(settingFacts(name).flag), settingFacts(name)]));

function commands(): string {
  const told: Told = { options: new Set(), settings: new Map() };
  return commandLine()
    .commands.map((command) => section(command, told))
    .join("\n\n");
}

/** What was told of earlier commands, and is not told again. */
interface Told {
  /** Flags and description of options. */
  readonly options: Set<string>;
  /** The flags of the settings that a command takes, by the name of the command. */
  readonly settings: Map<string, readonly string[]>;
}

function section(command: Command, told: Told): string {
  const own = command.options.filter((option) => !option.hidden && !isSetting(option));
  const isTold = ({ flags, description }: Option) => told.options.has(flags + description);
  const repeated = own.filter(isTold);
  const lines = [
    ...command.registeredArguments.map((argument) => `- \`${argument.name()}\`: ${argument.description}`),
    ...own.filter((option) => !isTold(option)).map(({ flags, description }) => `- \`${flags}\`: ${description}`),
    ...(repeated.length === 0 ? [] : [`- ${codes(repeated.map(({ flags }) => longOf(flags)))}: as above`]),
    ...settingsOf(command, told),
  ];
  for (const { flags, description } of own) told.options.add(flags + description);
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
function settingsOf(command: Command, told: Told): readonly string[] {
  const taken = command.options.filter((option) => isSetting(option) && !option.hidden);
  if (taken.length === 0) return [];
  const flags = taken.map((option) => longOf(option.flags));
  const defaults = taken.flatMap((option) => {
    const own = /\(default: (.*); SANDBOX_/.exec(option.description)?.[1];
    const usual = settings.get(longOf(option.flags))?.shownDefault;
    return own === usual ? [] : [`\`${longOf(option.flags)}\` ${own}`];
  });
  const here = defaults.length === 0 ? "" : `; defaults here: ${defaults.join("; ")}`;
  return [`- [settings](settings.md): ${whichOf(command, flags, told)}${here}`];
}

/** Names the settings of a command: by those of an earlier one, by what is missing, or one by one. */
function whichOf(command: Command, flags: readonly string[], told: Told): string {
  for (const [name, others] of told.settings) {
    const missing = others.filter((flag) => !flags.includes(flag));
    if (missing.length < 2 && others.length === flags.length + missing.length)
      return `those of \`${name}\`${missing.length === 0 ? "" : ` but ${codes(missing)}`}`;
  }
  const without = [...settings.keys()].filter((flag) => !flags.includes(flag));
  if (without.length === 0) return "all";
  if (without.length > flags.length) return codes(flags);
  told.settings.set(command.name(), flags);
  return `all but ${codes(without)}`;
}

/** The name of an option, with its dashes. */
function longOf(flags: string): string {
  return /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;
}
