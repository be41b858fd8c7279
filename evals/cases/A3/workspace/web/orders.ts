import { post } from "./http";

export interface OrderForm {
  sku: string;
  amount: number;
}

export async function placeOrder(form: OrderForm): Promise<string> {
  const reply = await post("/api/v2/orders", { sku: form.sku, qty: form.amount });
  return reply.ticket;
}

export async function cancelOrder(ticket: string): Promise<void> {
  await post("/api/v2/orders/cancel", { ticket });
}
