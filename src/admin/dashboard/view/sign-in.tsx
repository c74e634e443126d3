/** The page that asks for the token of the admin API. It works without a script. */
export function SignInPage({ refused }: { refused: boolean }) {
  return (
    <main class="sign-in">
      <h1>Business Payments Sandbox</h1>
      <p>The admin API demands its token: the value of --admin-token, or the token that was printed at the start.</p>
      <form method="post">
        <label for="token">Admin token</label>
        <input
          id="token"
          name="token"
          type="password"
          required
          autofocus
          autocomplete="current-password"
          aria-describedby={refused ? "problem" : undefined}
          aria-invalid={refused ? "true" : undefined}
        />
        {refused && (
          <p id="problem" class="problem" role="alert">
            This is not the token.
          </p>
        )}
        <button type="submit" class="button primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
