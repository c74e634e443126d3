package org.testcontainers.containers.wait.strategy;

public class WaitAllStrategy implements WaitStrategy {
  public WaitAllStrategy withStrategy(WaitStrategy strategy) {
    return this;
  }
}
