// The functions of Docker and Compose that the check of the container needs.
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs a program to its end.
 * @returns what it printed on standard output;
 * @throws Error with all that it printed when it failed
 */
export function run(program, args, { env = {}, cwd } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    cwd,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

export const docker = (...args) => run("docker", args);

/** Why the checks cannot run; undefined if an engine answers. */
export function missingEngine() {
  const { error, status, stderr } = spawnSync("docker", ["version", "--format", "{{.Server.Version}}"], {
    encoding: "utf8",
  });
  if (error) return "there is no docker here";
  return status === 0 ? undefined : `no Docker engine answers: ${stderr.trim().split("\n").at(-1)}`;
}

/** A running service of a compose project. */
export class Service {
  #facts;

  constructor(facts) {
    this.#facts = facts;
  }

  /**
   * @returns undefined if no such service runs
   * @throws Error if there are several
   */
  static find(name) {
    const filters = ["--filter", `label=com.docker.compose.service=${name}`, "--filter", "status=running"];
    const ids = docker("ps", "--quiet", "--no-trunc", ...filters, "--filter", "label=com.docker.compose.oneoff=False")
      .split("\n")
      .filter((id) => id !== "");
    if (ids.length > 1) throw new Error(`${ids.length} projects have a running service ${name}: stop the others.`);
    return ids[0] === undefined ? undefined : new Service(inspect(ids[0]));
  }

  get id() {
    return this.#facts.Id;
  }

  /** What `docker inspect` says now. */
  get facts() {
    this.#facts = inspect(this.id);
    return this.#facts;
  }

  /** Whether it uses the host's network: then the ports are the host's, and names of services cannot be resolved. */
  get isOnHostNetwork() {
    return this.#facts.HostConfig.NetworkMode === "host";
  }

  /** The port on the host for a port of the container. */
  port(number) {
    const published = this.#facts.NetworkSettings.Ports?.[`${number}/tcp`]?.[0]?.HostPort;
    return this.isOnHostNetwork ? number : Number(published);
  }

  /** A variable of the container's environment; undefined if it is not set, or empty. */
  variable(name) {
    const line = this.#facts.Config.Env.find((each) => each.startsWith(`${name}=`));
    return line?.slice(name.length + 1) || undefined;
  }

  /** The path on the host that is mounted in the container. */
  mounted(target) {
    return this.#facts.Mounts.find(({ Destination }) => Destination === target)?.Source;
  }

  /**
   * Runs JavaScript in the container, in addition to the sandbox.
   * @returns the value that it logs as JSON
   */
  evaluate(script) {
    return JSON.parse(docker("exec", this.id, "node", "-e", script));
  }

  /** Runs Compose for the project of the service, with the files that it was started from. */
  compose(args, env) {
    const labels = this.#facts.Config.Labels;
    const label = (name) => labels[`com.docker.compose.project${name}`];
    const files = label(".config_files")
      .split(",")
      .flatMap((file) => ["--file", file]);
    const project = ["--project-name", label(""), "--project-directory", label(".working_dir"), ...files];
    const cwd = label(".working_dir");
    return hasPlugin()
      ? run("docker", ["compose", ...project, ...args], { env, cwd })
      : run("docker-compose", [...project, ...args], { env, cwd });
  }

  /**
   * Waits until the health check passes.
   * @throws Error when it does not
   */
  async healthy() {
    for (const deadline = Date.now() + 60_000; ; ) {
      const { Status, Health } = this.facts.State;
      if (Health?.Status === "healthy") return;
      if (Status !== "running" || Date.now() > deadline) {
        throw new Error(`The container is ${Status}, ${Health?.Status}:\n${docker("logs", "--tail", "20", this.id)}`);
      }
      await sleep(200);
    }
  }
}

function inspect(id) {
  return JSON.parse(docker("inspect", id))[0];
}

/** Whether Compose is a plugin of docker, or the older separate program. */
function hasPlugin() {
  return spawnSync("docker", ["compose", "version"], { stdio: "ignore" }).status === 0;
}
