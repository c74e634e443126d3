/**
 * Completes a light class that stands in for one of the platform's, such as `Response`: what it does not have itself is asked of the
 * whole object, which is made when that happens first. It passes for the platform's class with `instanceof`; only the platform's own
 * constructors see through it (`new Request(request)`), and want a `clone()`.
 *
 * @hono/node-server does the same for the objects that it makes. Those it shares with nobody, unless it may replace the globals, which
 * a test suite that starts a sandbox in its own process keeps to itself.
 */
export function standIn<Whole extends object, Light extends object>(
  light: { readonly prototype: Light },
  platform: { readonly prototype: Whole },
  wholeOf: (self: Light) => Whole,
): void {
  for (const name of Reflect.ownKeys(platform.prototype)) {
    if (name === Symbol.toStringTag || Object.hasOwn(light.prototype, name)) continue;
    const member = Object.getOwnPropertyDescriptor(platform.prototype, name);
    Object.defineProperty(
      light.prototype,
      name,
      typeof member?.value === "function"
        ? {
            value(this: Light, ...parameters: unknown[]) {
              return Reflect.apply(member.value, wholeOf(this), parameters);
            },
          }
        : {
            get(this: Light) {
              return Reflect.get(wholeOf(this), name);
            },
          },
    );
  }
  Object.setPrototypeOf(light.prototype, platform.prototype);
}
