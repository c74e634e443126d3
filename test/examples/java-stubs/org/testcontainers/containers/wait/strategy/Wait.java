package org.testcontainers.containers.wait.strategy;

public class Wait {
  public static WaitStrategy forLogMessage(String expression, int times) {
    return null;
  }

  public static WaitStrategy forHealthcheck() {
    return null;
  }
}
