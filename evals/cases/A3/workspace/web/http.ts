export async function post(path: string, body: unknown): Promise<any> {
  const reply = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  if (!reply.ok) {
    throw new Error(`${path}: ${reply.status}`);
  }
  return reply.json();
}
