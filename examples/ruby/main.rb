require_relative "payments_client"

needed = %w[SANDBOX_URL SANDBOX_CLIENT_ID SANDBOX_CA_FILE SANDBOX_CERT_FILE SANDBOX_KEY_FILE]
missing = needed.find { |name| ENV.fetch(name, "").empty? }
abort "#{missing} is not set: source certs/clients/demo/client.env, or use `payments-sandbox run --`" if missing

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
  end

  puts "paid payouts: #{client.list("/v1/payouts", status: "PAID").count}"
  client.close
rescue StandardError => error
  abort "error: #{error.message}"
end
