require "json"
require_relative "payments_client"

needed = %w[SANDBOX_URL SANDBOX_CLIENT_ID SANDBOX_CA_FILE SANDBOX_CERT_FILE SANDBOX_KEY_FILE]
missing = needed.find { |name| ENV.fetch(name, "").empty? }
abort "#{missing} is not set: source certs/clients/demo/client.env, or use `payments-sandbox run --`" if missing

# What this client understood: a line of the answer sheet for `payments-sandbox exam`.
def answer(line)
  sheet = ENV.fetch("SANDBOX_ANSWERS", "")
  File.write(sheet, "#{JSON.generate(line)}\n", mode: "a") unless sheet.empty?
end

begin
  client = PaymentsClient.new(
    url: ENV.fetch("SANDBOX_URL"),
    client_id: ENV.fetch("SANDBOX_CLIENT_ID"),
    ca_file: ENV.fetch("SANDBOX_CA_FILE"),
    cert_file: ENV.fetch("SANDBOX_CERT_FILE"),
    key_file: ENV.fetch("SANDBOX_KEY_FILE")
  )

  client.ping
  puts "ping: ok"

  begin
    client.ping(produceError: true)
  rescue ApiError => error
    raise unless error.code == "EXAMPLE_ERROR"

    puts "example error: #{error.status} #{error.code}"
    answer({ error: { operation: "ping", code: error.code } })
  end

  ids = client.list("/v1/payouts", status: "PAID").map { |payout| payout["id"] }
  puts "paid payouts: #{ids.size}"
  answer({ list: "payouts", ids: ids })
  client.close
rescue StandardError => error
  abort "error: #{error.message}"
end
