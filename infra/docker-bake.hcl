# Builds the image for both architectures, with SBOM and provenance attestations:
#   docker buildx bake -f infra/docker-bake.hcl --set sluice.tags=registry.example.com/sluice:0.1.0 --push
group "default" { targets = ["sluice"] }

target "sluice" {
  context    = "."
  dockerfile = "infra/Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["sluice:local"]
  attest     = ["type=sbom", "type=provenance,mode=max"]
}
