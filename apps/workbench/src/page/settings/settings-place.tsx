export function SettingsPlace() {
  return (
    <section>
      <h1>Settings</h1>
      <p>To come.</p>
    </section>
  );
}
