package org.testcontainers.containers;

import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** What the recipe uses of Testcontainers, so that it can be compiled without it. */
public class GenericContainer<SELF extends GenericContainer<SELF>> {
  public GenericContainer(DockerImageName name) {}

  public SELF withExposedPorts(Integer... ports) {
    return null;
  }

  public SELF withEnv(String name, String value) {
    return null;
  }

  public SELF waitingFor(WaitStrategy strategy) {
    return null;
  }

  public String getHost() {
    return null;
  }

  public Integer getMappedPort(int port) {
    return null;
  }
}
